import { Tenant } from '@liqo/api';
import { ConfigMap, isForbidden, Namespace, RoleBinding, Secret } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { runHere, successful } from '../testing/run-here.ts';

const namespace = 'liqo-tenant-rome';
const timeoutMs = 120_000;

describe('a peering user', () => {
  let world: PeeringWorld;
  /** The kubeconfig that an administrator of milan hands to one of rome. */
  let handedOver = '';

  beforeAll(async () => {
    world = await startPeeringWorld();
    const line = 'generate peering-user --consumer-cluster-id rome';
    const { stdout } = await successful(world.atMilan(line));
    handedOver = await world.file('milan-for-rome', stdout);
  }, timeoutMs);

  afterAll(() => world[Symbol.asyncDispose]());

  function liqoctl(line: string) {
    const env = { KUBECONFIG: world.rome.kubeconfig };
    return runHere(`${line} --remote-kubeconfig ${handedOver}`.split(' '), { env });
  }

  /** The name behind the kubeconfig, which is random. */
  async function asUser() {
    const selection = { namespace, labelSelector: 'liqo.io/peering-user-name' };
    const { items } = await world.milan.client.list(RoleBinding, selection);
    const [name = ''] = items.flatMap(({ subjects = [] }) => subjects.map((one) => one.name));
    return world.milan.clientFor({ name, groups: ['liqo.io'] });
  }

  test('peers, repeats it, and unpeers', async () => {
    const peer = 'peer --create-resource-slice=false --timeout 30s';
    await successful(liqoctl(peer));
    await successful(liqoctl(peer));
    expect(await world.milan.client.get(Tenant, { namespace, name: 'rome' })).toBeDefined();
    await successful(liqoctl('unpeer --timeout 60s'));
    expect(await world.milan.client.get(Tenant, { namespace, name: 'rome' })).toBeUndefined();
  });

  test('reads no Secret but the nonce, and nothing of other namespaces', async () => {
    await using user = await asUser();
    const { client } = world.milan;
    await client.create(Secret, { metadata: { name: 'kubeconfig-controlplane-rome', namespace } });
    await client.create(Namespace, { metadata: { name: 'liqo-tenant-turin' } });
    const turin = 'liqo-tenant-turin';
    const attempts = [
      user.get(Secret, { namespace, name: 'kubeconfig-controlplane-rome' }),
      user.delete(Secret, { namespace, name: 'kubeconfig-controlplane-rome' }),
      user.list(Secret, { namespace }),
      user.list(Secret),
      user.get(Secret, { namespace: 'liqo', name: 'authentication-keys' }),
      user.get(Secret, { namespace: turin, name: 'liqo-nonce' }),
      user.create(Secret, { metadata: { name: 'mine', namespace: turin } }),
      user.list(Tenant, { namespace: turin }),
      user.list(Namespace),
      user.get(Namespace, { name: turin }),
      user.list(ConfigMap, { namespace: 'kube-system' }),
      user.delete(Namespace, { name: namespace }),
      user.list(RoleBinding, { namespace }),
    ];
    const outcomes = await Promise.allSettled(attempts);
    const allowed = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' || !isForbidden(outcome.reason),
    );
    expect(allowed).toEqual([]);
  });

  test('is of no use once it is deleted', async () => {
    await successful(world.atMilan('delete peering-user --consumer-cluster-id rome'));
    await eventually(async () => {
      const { code, stderr } = await liqoctl('peer --create-resource-slice=false --timeout 5s');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('forbidden') });
    });
  });
});
