import { ApiError } from '@liqo/kube';
import type { Resource } from '../../rest/resource.ts';
import type { Admission, AdmissionAttributes } from '../admission.ts';
import { forbid, namespaceOf } from '../request-scope.ts';
import { collectParams, findParamResource, type Params } from './collect-params.ts';
import { evaluatePolicy, type Failure } from './evaluate-policy.ts';
import { matchResources } from './match-resources.ts';
import { refuseUnreadableParams } from './param-access.ts';
import { type Binding, type BoundPolicy, PolicyIndex } from './policy-index.ts';
import type { PolicyParts } from './policy-parts.ts';
import { PolicyReview } from './policy-review.ts';

interface Denial extends Failure {
  readonly policy: string;
  /** Undefined when the policy itself is misconfigured. */
  readonly binding: string | undefined;
}

/** Enforces ValidatingAdmissionPolicies. All are evaluated, and the first that denies is quoted. */
export class ValidatingAdmissionPolicies implements Admission {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #parts: PolicyParts;
  readonly #index: PolicyIndex;

  constructor(parts: PolicyParts) {
    this.#parts = parts;
    this.#index = new PolicyIndex(parts.store);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (isPolicyKind(attributes)) return refuseUnreadableParams(this.#parts, attributes);
    const bound = this.#index.bound();
    if (bound.length === 0) return;
    const { store, authorizer } = this.#parts;
    const review = new PolicyReview(attributes, store, authorizer);
    const denials = bound.flatMap((one) => this.#denialsOf(one, attributes, review));
    const [first] = denials;
    if (first) throw deny(attributes, first);
  }

  #denialsOf(
    bound: BoundPolicy,
    attributes: AdmissionAttributes,
    review: PolicyReview,
  ): readonly Denial[] {
    const { policy, bindings } = bound;
    const { store, registry } = this.#parts;
    const constraints = policy.spec?.matchConstraints ?? {};
    const match = matchResources(constraints, attributes, store, registry);
    if (!match) return [];
    if ('error' in match) return misconfigured(bound, undefined, match.error);
    const paramResource = this.#paramResource(bound);
    if (paramResource && 'error' in paramResource) {
      return misconfigured(bound, undefined, paramResource.error);
    }
    return bindings.flatMap((binding) =>
      this.#denialsOfBinding(
        { bound, binding, target: match.target, paramResource },
        attributes,
        review,
      ),
    );
  }

  #denialsOfBinding(
    { bound, binding, target, paramResource }: Evaluation,
    attributes: AdmissionAttributes,
    review: PolicyReview,
  ): readonly Denial[] {
    const { store, registry } = this.#parts;
    const { matchResources: constraints, paramRef, validationActions = [] } = binding.spec ?? {};
    const match = constraints && matchResources(constraints, attributes, store, registry);
    if (constraints && !match) return [];
    if (match && 'error' in match) return misconfigured(bound, binding, match.error);
    const params: Params =
      paramResource && paramRef
        ? collectParams(store, paramResource, paramRef, namespaceOf(attributes))
        : [undefined];
    if ('error' in params) return misconfigured(bound, binding, params.error);
    const verdicts = params.map((param) =>
      evaluatePolicy(bound.compiled, review.input(target, param)),
    );
    const failures = verdicts.flatMap((verdict) => verdict.failures);
    if (validationActions.includes('Warn')) {
      for (const { message } of failures) attributes.warn(warningOf(bound, binding, message));
    }
    const denied = validationActions.includes('Deny') ? failures : [];
    const faults = verdicts.flatMap((verdict) => verdict.faults);
    return [...denied, ...faults].map((failure) => denialOf(bound, binding, failure));
  }

  /** Undefined for a policy without parameters. */
  #paramResource({ policy }: BoundPolicy): Resource | { readonly error: string } | undefined {
    const { paramKind } = policy.spec ?? {};
    if (!paramKind) return undefined;
    const found = findParamResource(this.#parts.registry, paramKind);
    if (found) return found;
    const { apiVersion = '', kind } = paramKind;
    const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    const error = `failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'`;
    return { error };
  }
}

/** A binding of a policy that matches the request, with what the policy is to be evaluated on. */
interface Evaluation {
  readonly bound: BoundPolicy;
  readonly binding: Binding;
  readonly target: Resource;
  readonly paramResource: Resource | undefined;
}

const group = 'admissionregistration.k8s.io';

const kinds: readonly string[] = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];

/** Policies do not judge policies: a bad one can always be removed. */
function isPolicyKind({ resource }: AdmissionAttributes): boolean {
  return resource.group === group && kinds.includes(resource.plural);
}

/** A problem with the policy or a binding denies the request unless the policy ignores failures. */
function misconfigured(
  bound: BoundPolicy,
  binding: Binding | undefined,
  error: string,
): readonly Denial[] {
  if (bound.compiled.ignoresFailures) return [];
  const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error}`;
  return [denialOf(bound, binding, { message, reason: undefined })];
}

function denialOf({ policy }: BoundPolicy, binding: Binding | undefined, failure: Failure): Denial {
  return { ...failure, policy: policy.metadata.name, binding: binding?.metadata.name };
}

function warningOf({ policy }: BoundPolicy, binding: Binding, message: string): string {
  const names = `'${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  return `Validation failed for ValidatingAdmissionPolicy ${names}: ${message}`;
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function deny(attributes: AdmissionAttributes, denial: Denial): ApiError {
  const binding = denial.binding === undefined ? '' : ` with binding '${denial.binding}'`;
  const said = `ValidatingAdmissionPolicy '${denial.policy}'${binding} denied request: ${denial.message}`;
  const { message, details } = forbid(attributes, said);
  const reason = denial.reason ?? 'Invalid';
  const causes = [{ message: said }];
  return new ApiError({
    message,
    code: codes[reason] ?? 422,
    reason,
    details: { ...details, causes },
  });
}
