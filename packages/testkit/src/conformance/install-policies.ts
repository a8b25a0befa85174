import {
  type Client,
  Lease,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { ignoreNotFound } from './custom-widget.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type Subject } from './subject.ts';

type PolicySpec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type BindingSpec = NonNullable<ValidatingAdmissionPolicyBinding['spec']>;
type MatchResources = NonNullable<PolicySpec['matchConstraints']>;

/** What a test says about a policy; everything else is filled in. Without rules, it is about ConfigMaps. */
export interface PolicyPlan extends Omit<PolicySpec, 'matchConstraints'> {
  readonly resources?: readonly string[];
  readonly groups?: readonly string[];
  readonly operations?: readonly string[];
  readonly match?: MatchResources;
  readonly binding?: BindingSpec;
}

/** A policy for one namespace, and for what is in no namespace. */
export interface InstalledPolicy extends AsyncDisposable {
  readonly client: Client;
  readonly namespace: string;
  /** Of the policy and of its binding. */
  readonly name: string;
  /** How a denial begins. */
  readonly denied: string;
}

/** A policy in a namespace of the test's own. */
export async function startPolicy(subject: Subject, plan: PolicyPlan): Promise<InstalledPolicy> {
  return installPolicy(subject.client, await freshNamespace(subject), plan);
}

/** Creates a policy and its binding, and waits until the server enforces them. */
export async function installPolicy(
  client: Client,
  namespace: string,
  plan: PolicyPlan,
): Promise<InstalledPolicy> {
  const name = fresh('policy');
  const { spec, binding } = forgePolicy(namespace, name, plan);
  await client.create(ValidatingAdmissionPolicy, { metadata: { name }, spec });
  await client.create(ValidatingAdmissionPolicyBinding, { metadata: { name }, spec: binding });
  await untilEnforced(client, namespace);
  return {
    client,
    namespace,
    name,
    denied: `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: `,
    [Symbol.asyncDispose]: () => removePolicy(client, name),
  };
}

export function forgePolicy(namespace: string, policyName: string, plan: PolicyPlan) {
  const { resources = ['configmaps'], groups = [''], operations = ['*'], ...rest } = plan;
  const { match, binding, ...settings } = rest;
  const rule = {
    apiGroups: [...groups],
    apiVersions: ['*'],
    operations: [...operations],
    resources: [...resources],
  };
  const matchConstraints = {
    resourceRules: [rule],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...match,
  };
  return {
    spec: { ...settings, matchConstraints },
    binding: { policyName, validationActions: ['Deny'], ...binding },
  };
}

async function removePolicy(client: Client, name: string): Promise<void> {
  await client.delete(ValidatingAdmissionPolicyBinding, { name }).catch(ignoreNotFound);
  await client.delete(ValidatingAdmissionPolicy, { name }).catch(ignoreNotFound);
}

/**
 * Servers learn of policies in the order of their creation, and some a moment later: when a policy that was created
 * last denies something, the others are known too.
 */
export async function untilEnforced(client: Client, namespace: string): Promise<void> {
  const name = fresh('probe');
  const plan = {
    groups: ['coordination.k8s.io'],
    resources: ['leases'],
    validations: [{ expression: `object.metadata.name != '${name}'`, message: 'known' }],
  };
  const { spec, binding } = forgePolicy(namespace, name, plan);
  await client.create(ValidatingAdmissionPolicy, { metadata: { name }, spec });
  await client.create(ValidatingAdmissionPolicyBinding, { metadata: { name }, spec: binding });
  await eventually(async () => {
    const probe = client.create(Lease, { metadata: { namespace, name } }, { dryRun: true });
    expect(await rejection(probe)).toMatchObject({ code: 422 });
  });
  await removePolicy(client, name);
}
