import {
  ForeignCluster,
  Identity,
  labels,
  NamespaceMap,
  Renew,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  ClusterRoleBinding,
  CustomResourceDefinition,
  Deployment,
  isNotFound,
  type Kind,
  type KubeObject,
  Namespace,
  Node,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { successful } from '../testing/run-here.ts';

/** All kinds of which a peering makes objects that name the peer. */
const kinds = [
  ClusterRoleBinding,
  Deployment,
  ForeignCluster,
  Identity,
  Namespace,
  NamespaceMap,
  Node,
  Renew,
  ResourceSlice,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  Tenant,
  VirtualNode,
] as readonly Kind<KubeObject>[];

let world: PeeringWorld;

beforeEach(async () => {
  world = await startPeeringWorld();
  await successful(world.atBoth('peer --networking-disabled --timeout 60s'));
}, 120_000);

afterEach(() => world[Symbol.asyncDispose]());

async function expectNothingLeft(client: Client): Promise<void> {
  await eventually(
    async () => {
      const labelSelector = labels.remoteClusterID;
      const lists = await Promise.all(
        kinds.map((kind) =>
          client.list(kind, { labelSelector }).catch((error: unknown) => {
            if (isNotFound(error)) return { items: [] };
            throw error;
          }),
        ),
      );
      const left = lists.flatMap(({ items }) =>
        items.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      );
      expect(left).toEqual([]);
    },
    { timeoutMs: 60_000 },
  );
}

async function removeKind(client: Client, kind: Kind): Promise<void> {
  await client.delete(CustomResourceDefinition, { name: `${kind.plural}.${kind.group}` });
}

test('unpeer leaves nothing of a whole peering', async () => {
  await successful(world.atBoth('unpeer --delete-namespaces --timeout 60s'));
  await expectNothingLeft(world.rome.client);
  await expectNothingLeft(world.milan.client);
});

test('unpeer ends when the kind Tenant is gone at the provider', async () => {
  await removeKind(world.milan.client, Tenant as Kind);
  await successful(world.atBoth('unpeer --delete-namespaces --timeout 60s'));
  await expectNothingLeft(world.rome.client);
  await expectNothingLeft(world.milan.client);
});

test.each([
  ['ResourceSlice', ResourceSlice],
  ['ForeignCluster', ForeignCluster],
] as const)('unpeer ends when the kind %s is gone at the consumer', async (_, kind) => {
  await removeKind(world.rome.client, kind as Kind);
  await successful(world.atBoth('unpeer --delete-namespaces --timeout 60s'));
  await expectNothingLeft(world.rome.client);
  await expectNothingLeft(world.milan.client);
});

test('force unpeer leaves nothing when the provider is gone', async () => {
  const path = await world.file('milan.kubeconfig', world.milan.kubeconfigText);
  await world.milan[Symbol.asyncDispose]();
  const line = `unpeer --delete-namespaces --timeout 60s --remote-kubeconfig ${path}`;
  const { code, stderr } = await world.atRome(line);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot reach') });
  await successful(world.atRome('force unpeer milan --skip-confirm --timeout 60s'));
  await expectNothingLeft(world.rome.client);
});
