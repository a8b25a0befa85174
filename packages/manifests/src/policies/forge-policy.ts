import type {
  KubeObject,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';

type PolicySpec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type MatchConstraints = NonNullable<PolicySpec['matchConstraints']>;
type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What a request must fulfil: a CEL expression, and the reason that its sender reads otherwise. */
export interface Requirement {
  readonly expression: string;
  readonly message: string;
}

export interface PolicyDraft {
  readonly name: string;
  readonly apiGroup: string;
  readonly resources: readonly string[];
  /** Resources of other groups, by the group. */
  readonly further?: Readonly<Record<string, readonly string[]>>;
  /** Groups that "*" does not mean. */
  readonly excludedGroups?: readonly string[];
  readonly operations: readonly Operation[];
  /** The requests that the policy is about; without one, all requests for the resources. */
  readonly condition?: { readonly name: string; readonly expression: string };
  readonly namespaceSelector?: MatchConstraints['namespaceSelector'];
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * A kind whose objects in the namespace of the request are `params`: the requirements must hold with each of them, and hold
   * where there are none.
   */
  readonly withEach?: { readonly apiVersion: string; readonly kind: string };
  readonly requirements: readonly Requirement[];
}

const apiVersion = 'admissionregistration.k8s.io/v1';

/**
 * A policy and the binding that enforces it in the whole cluster. Requests for another version of the resources are
 * converted first, and a request that cannot be evaluated is denied.
 */
export function forgePolicy(draft: PolicyDraft): readonly KubeObject[] {
  const { name, condition, variables = {}, withEach, requirements } = draft;
  const policy: ValidatingAdmissionPolicy = {
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      ...(withEach && { paramKind: { ...withEach } }),
      matchConstraints: forgeConstraints(draft),
      ...(condition && { matchConditions: [{ ...condition }] }),
      variables: Object.entries(variables).map(([variable, expression]) => ({
        name: variable,
        expression,
      })),
      validations: requirements.map((requirement) => ({ ...requirement, reason: 'Forbidden' })),
    },
  };
  const binding: ValidatingAdmissionPolicyBinding = {
    metadata: { name },
    spec: {
      policyName: name,
      ...(withEach && { paramRef: { selector: {}, parameterNotFoundAction: 'Allow' } }),
      validationActions: ['Deny'],
    },
  };
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', ...policy },
    { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', ...binding },
  ];
}

function forgeConstraints(draft: PolicyDraft): MatchConstraints {
  const { apiGroup, resources, further = {}, operations, namespaceSelector } = draft;
  const rule = (apiGroups: readonly string[], ofGroups: readonly string[]) => ({
    apiGroups: [...apiGroups],
    apiVersions: ['*'],
    operations: [...operations],
    resources: [...ofGroups],
  });
  return {
    matchPolicy: 'Equivalent',
    ...(namespaceSelector && { namespaceSelector }),
    resourceRules: [
      rule([apiGroup], resources),
      ...Object.entries(further).map(([group, ofGroup]) => rule([group], ofGroup)),
    ],
    ...(draft.excludedGroups && { excludeResourceRules: [rule(draft.excludedGroups, ['*'])] }),
  };
}
