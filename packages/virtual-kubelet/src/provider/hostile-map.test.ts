import { NamespaceMap, ShadowPod } from '@liqo/api';
import { mergePatch, Namespace, Pod, ServiceAccount } from '@liqo/kube';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, expect, test } from 'vitest';
import {
  type OffloadingWorld,
  startRunningWorld,
  tenantNamespace,
} from '../testing/offloading-world.ts';

let world: OffloadingWorld;
afterEach(() => world[Symbol.asyncDispose]());

const mapKey = { namespace: tenantNamespace, name: 'milan' };

/** What a provider writes into the status of a NamespaceMap, which is replicated to the consumer. */
async function claim(namespace: string): Promise<void> {
  const mapping = { remoteNamespace: 'shop-rome', phase: 'Accepted' };
  const status = { currentMapping: { [namespace]: mapping } };
  const { admin } = world.home;
  await admin.patch(NamespaceMap, mapKey, mergePatch({ status }), { subresource: 'status' });
}

test.each(['kube-system', 'payroll'])(
  'pods of %s stay at the consumer although the provider claims that namespace',
  async (namespace) => {
    world = await startRunningWorld();
    const { admin } = world.home;
    const known = await admin.get(Namespace, { name: namespace });
    if (!known) await admin.create(Namespace, { metadata: { name: namespace } });
    await admin.create(ServiceAccount, { metadata: { namespace, name: 'default' } });
    await admin.create(Pod, {
      metadata: { namespace, name: 'agent' },
      spec: { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] },
    });
    await claim(namespace);
    await world.pass(60_000);
    const shadowPods = await world.away.admin.list(ShadowPod);
    expect(shadowPods.items).toEqual([]);
    const secrets = world.away.faults.calls.filter((call) => call.resource === 'secrets');
    expect(secrets.filter(isWrite)).toEqual([]);
  },
);

test('no pod is sent to a namespace that the provider keeps after the consumer has withdrawn it', async () => {
  world = await startRunningWorld();
  await world.runPod('web');
  const spec = { desiredMapping: { shop: null } };
  await world.home.admin.patch(NamespaceMap, mapKey, mergePatch({ spec }));
  await world.pass(1_000);
  await world.createPod('late');
  await world.pass(60_000);
  const shadowPods = await world.away.admin.list(ShadowPod);
  expect(shadowPods.items.map(({ metadata }) => metadata.name)).toEqual(['web']);
  expect((await world.pod('web'))?.status?.phase).toBe('Running');
});
