import {
  labels,
  NamespaceMap,
  VirtualNode,
  virtualKubeletBindingName,
  virtualKubeletTokensBindingName,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  type Kind,
  type KubeObject,
  Lease,
  Namespace,
  Node,
  type ObjectKey,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import { nodeLeaseNamespace } from '@liqo/model';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  tenantNamespace as namespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { removeTraces } from './remove-traces.ts';

const name = 'mynode';
const key = { namespace, name };
const atLeases = { namespace: nodeLeaseNamespace, name: virtualKubeletBindingName(name) };
const nodeLease = { namespace: nodeLeaseNamespace, name };
const map = { namespace, name: 'milan' };
const ours = { [labels.virtualNode]: name };
const theirs = { [labels.virtualNode]: 'another' };

async function startWorld() {
  const world = await startQuietWorld([namespace], [VirtualNode, NamespaceMap]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, run } = world;
  if (!(await admin.get(Namespace, { name: nodeLeaseNamespace }))) {
    await admin.create(Namespace, { metadata: { name: nodeLeaseNamespace } });
  }
  const virtualNode = await admin.create(VirtualNode, virtualNodeCalled(name));
  return {
    admin,
    remove: () => removeTraces({ client }, virtualNode, run.signal),
    /** All that a virtual kubelet has, with these labels, bound to an account of this namespace. */
    create: (marks: Record<string, string>, account = namespace) =>
      createTraces(admin, marks, account),
    left: async () => {
      const found = await Promise.all(traces.map(([kind, at]) => admin.get(kind, at)));
      return found.flatMap((one) => (one ? [one.kind] : []));
    },
    is: async <T extends KubeObject>(kind: Kind<T>, at: ObjectKey) =>
      (await admin.get(kind, at)) !== undefined,
  };
}

const traces = [
  [ClusterRoleBinding, { name: virtualKubeletTokensBindingName(name) }],
  [ClusterRoleBinding, { name: virtualKubeletBindingName(name) }],
  [RoleBinding, atLeases],
  [Role, atLeases],
  [RoleBinding, key],
  [Role, key],
  [ServiceAccount, key],
] as unknown as readonly (readonly [Kind<KubeObject>, ObjectKey])[];

type Admin = Awaited<ReturnType<typeof startQuietWorld>>['admin'];

async function createTraces(admin: Admin, marks: Record<string, string>, account: string) {
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', namespace: account, name }];
  for (const [kind, at] of traces) {
    const roleRef = { apiGroup, kind: 'ClusterRole', name: 'some' };
    const isBinding = kind.kind.endsWith('Binding');
    const body = isBinding ? { roleRef, subjects } : {};
    await admin.create(kind, { metadata: { ...at, labels: marks }, ...body } as KubeObject);
  }
}

describe('removeTraces()', () => {
  test('removes all that a virtual kubelet had', async () => {
    const { admin, remove, create, left, is } = await startWorld();
    await create(ours);
    await admin.create(Lease, { metadata: key });
    await admin.create(Lease, { metadata: nodeLease });
    await admin.create(NamespaceMap, { metadata: map, spec: {} });
    await remove();
    expect(await left()).toEqual([]);
    expect(await is(Lease, key)).toBe(false);
    expect(await is(Lease, nodeLease)).toBe(false);
    expect(await is(NamespaceMap, map)).toBe(false);
  });

  test('leaves alone what was not made for this virtual node', async () => {
    const { remove, create, left } = await startWorld();
    await create(theirs);
    await remove();
    expect(await left()).toHaveLength(traces.length);
  });

  test('leaves a virtual node of that name in another namespace its rights', async () => {
    const { remove, create, left } = await startWorld();
    await create(ours, 'liqo-tenant-oslo');
    await remove();
    expect(await left()).toEqual([
      'ClusterRoleBinding',
      'ClusterRoleBinding',
      'RoleBinding',
      'Role',
    ]);
  });

  test('leaves the Lease of a Node that stays', async () => {
    const { admin, remove, is } = await startWorld();
    await admin.create(Node, { metadata: { name } });
    await admin.create(Lease, { metadata: nodeLease });
    await remove();
    expect(await is(Lease, nodeLease)).toBe(true);
  });

  test('leaves the NamespaceMap to another virtual node of the provider', async () => {
    const { admin, remove, is } = await startWorld();
    await admin.create(NamespaceMap, { metadata: map, spec: {} });
    await admin.create(VirtualNode, virtualNodeCalled('second'));
    await remove();
    expect(await is(NamespaceMap, map)).toBe(true);
  });
});
