import { allKinds, forgeCustomResourceDefinition, labels, VirtualNode } from '@liqo/api';
import {
  type Client,
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Deployment,
  isConditionTrue,
  Lease,
  MutatingWebhookConfiguration,
  Namespace,
  Role,
  RoleBinding,
  ServiceAccount,
  SubjectAccessReview,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { forgeTenantBinding, forgeVirtualKubeletAccess } from '@liqo/model';
import { eventually, rejection } from '@liqo/testkit';
import { expect } from 'vitest';
import { forgeManifests } from '../forge-manifests.ts';
import { kindOfManifest } from '../kind-of-manifest.ts';
import { forgePolicy } from '../policies/forge-policy.ts';
import { defaultValues, type Values } from '../values.ts';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** A cluster, embedded or real, with the roles and policies of an installation, for attacks on them. */
export interface PolicyStage {
  /** With all rights. */
  readonly admin: Client;
  as(user: User): Promise<Client>;
}

export type GetStage = () => PolicyStage;

const rbac = 'rbac.authorization.k8s.io';

/** Everything of an installation but the controllers, which would act on what the tests create. */
export async function installPolicies(
  admin: Client,
  consumers: Partial<Values['consumers']> = {},
): Promise<void> {
  for (const kind of allKinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await eventually(async () => {
    const { items } = await admin.list(CustomResourceDefinition);
    for (const { status } of items) {
      expect(isConditionTrue(status?.conditions, 'Established')).toBe(true);
    }
  });
  const values = {
    ...defaultValues,
    clusterID: 'here',
    consumers: { ...defaultValues.consumers, ...consumers },
  };
  const objects = forgeManifests(values).filter(({ kind = '' }) => !notInstalled.includes(kind));
  for (const object of objects) await admin.create(kindOfManifest(object), object);
  await untilEnforced(admin);
}

/** Nothing runs, so that nothing could answer webhooks. */
const notInstalled = [
  Deployment.kind,
  MutatingWebhookConfiguration.kind,
  ValidatingWebhookConfiguration.kind,
];

/** API servers read policies in the order of their creation: the last one denies when all others do. */
async function untilEnforced(admin: Client): Promise<void> {
  const name = 'last-policy';
  const [policy = {}, binding = {}] = forgePolicy({
    name,
    apiGroup: 'coordination.k8s.io',
    resources: ['leases'],
    operations: ['CREATE'],
    requirements: [{ expression: `object.metadata.name != '${name}'`, message: 'enforced' }],
  });
  await admin.create(ValidatingAdmissionPolicy, policy);
  await admin.create(ValidatingAdmissionPolicyBinding, binding);
  await eventually(async () => {
    const probe = admin.create(
      Lease,
      { metadata: { namespace: 'default', name } },
      { dryRun: true },
    );
    expect(await rejection(probe)).toMatchObject({ code: 403 });
  });
}

/** A namespace that was made for the consumer, with its rights in it. */
export async function prepareConsumer(admin: Client, remote: string, consumerClusterID: string) {
  const marks = { [labels.remoteClusterID]: consumerClusterID };
  await admin.create(Namespace, { metadata: { name: remote, labels: marks } });
  const wanted = {
    local: '',
    remote,
    consumerClusterID,
    liqoNamespace: 'liqo',
    namespaceMapKey: '',
    podSecurity: 'baseline' as const,
  };
  const role = 'liqo-virtual-kubelet-remote';
  const tenant = `liqo-tenant-${consumerClusterID}`;
  await admin.create(RoleBinding, forgeTenantBinding(wanted, tenant, role));
}

/** A tenant namespace of any name with a virtual node, and the rights that the controllers give its virtual kubelet. */
export async function prepareVirtualNode(
  admin: Client,
  namespace: string,
  name: string,
): Promise<User> {
  const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'milan' };
  if (!(await admin.get(Namespace, { name: namespace }))) {
    await admin.create(Namespace, { metadata: { name: namespace, labels: marks } });
  }
  const virtualNode = await admin.create(VirtualNode, {
    metadata: { namespace, name },
    spec: { clusterID: 'milan', kubeconfigSecretRef: { name: 'kubeconfig-milan' } },
  });
  const access = forgeVirtualKubeletAccess(virtualNode);
  await admin.create(ServiceAccount, access.serviceAccount);
  for (const role of [access.role, access.leaseRole]) await admin.create(Role, role);
  for (const binding of [access.roleBinding, access.leaseRoleBinding]) {
    await admin.create(RoleBinding, binding);
  }
  await admin.create(ClusterRoleBinding, access.clusterRoleBinding);
  return accountUser(namespace, name);
}

export function accountUser(namespace: string, name: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

type Rules = NonNullable<ClusterRole['rules']>;

/** Rights in the whole cluster, and known to the server. */
export async function grantEverywhere(admin: Client, { name: user }: User, rules: Rules) {
  const role = await admin.create(ClusterRole, { metadata: { generateName: 'test-' }, rules });
  const { name } = role.metadata;
  await admin.create(ClusterRoleBinding, {
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  });
  for (const { apiGroups = [], resources = [], verbs } of rules) {
    const [resource = '', subresource = ''] = (resources.at(-1) ?? '').split('/');
    const question = { group: apiGroups.at(-1) ?? '', resource, subresource, verb: verbs.at(-1) };
    await eventually(async () => {
      const spec = { user, resourceAttributes: question as { verb: string } };
      const { status } = await admin.create(SubjectAccessReview, { spec });
      expect(status?.allowed).toBe(true);
    });
  }
}

/** Denied by this policy of ours, and by nothing before it. */
export async function expectDenied(
  call: Promise<unknown>,
  policy: string,
  message = '',
): Promise<void> {
  const error = await rejection(call);
  expect(error).toMatchObject({ code: 403, reason: 'Forbidden' });
  expect((error as Error).message).toContain(`ValidatingAdmissionPolicy '${policy}'`);
  expect((error as Error).message).toContain(message);
}
