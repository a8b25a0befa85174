import { clusterIDInPublic, NamespaceMap, VirtualNode } from '@liqo/api';
import { ConfigMap, findCondition, mergePatch, Namespace, Node, Secret } from '@liqo/kube';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import {
  type ApiCall,
  always,
  faultOn,
  isWrite,
  lostRequest,
  noFaults,
  refusal,
} from '@liqo/testkit/faults';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type OffloadingWorld,
  prepareProvider,
  secretName,
  startRunningWorld,
  startWorld,
  tenantNamespace,
} from '../testing/offloading-world.ts';
import { consumerUser } from '../testing/rights.ts';

let world: OffloadingWorld;
afterEach(() => world[Symbol.asyncDispose]());

const secretKey = { namespace: tenantNamespace, name: secretName };
const isOfShadowPods = ({ resource }: ApiCall) => resource.startsWith('shadowpods');

async function untilProvider(status: 'Running' | 'Unreachable', reason?: string) {
  return world.until(async () => {
    const condition = await world.providerCondition();
    expect(condition).toMatchObject({ status });
    expect(condition?.reason).toBe(reason);
    return condition;
  });
}

async function untilNode(status: 'False' | 'True', reason: string): Promise<void> {
  await world.until(async () => {
    expect(await world.readiness()).toMatchObject({ status, reason });
  });
}

async function readyOf(name: string) {
  return findCondition((await world.pod(name))?.status?.conditions, 'Ready');
}

async function sayClusterID({ admin }: TestCluster, id: string): Promise<void> {
  const { namespace: name } = clusterIDInPublic;
  if (!(await admin.get(Namespace, { name })))
    await admin.create(Namespace, { metadata: { name } });
  await admin.create(ConfigMap, { metadata: clusterIDInPublic, data: { CLUSTER_ID: id } });
}

describe('a VirtualNode', () => {
  test.each([
    ['with a Node', true],
    ['without a Node', false],
  ])('%s says that its provider can be reached', async (_, createNode) => {
    world = await startWorld();
    world.startKubelet({ createNode });
    await untilProvider('Running');
    await world.until(async () => {
      const node = await world.home.admin.get(Node, { name: 'mynode' });
      expect(node !== undefined).toBe(createNode);
    });
  });

  test.each([
    ['is missing', () => world.home.admin.delete(Secret, secretKey), 'NoKubeconfig'],
    ['is broken', () => world.setKubeconfig('nonsense'), 'InvalidKubeconfig'],
    ['is expired', () => refuseAll(401), 'RemoteUnauthorized'],
    ['is forbidden everything', () => refuseAll(403), 'RemoteForbidden'],
    ['leads nowhere', () => loseAll(), 'ProviderUnreachable'],
  ])(
    'whose kubeconfig %s says so, names the Secret, and goes on when it is mended',
    async (_, spoil, reason) => {
      world = await startWorld();
      await spoil();
      world.startKubelet({ createNode: false });
      const condition = await untilProvider('Unreachable', reason);
      expect(condition?.message).toMatch(
        new RegExp(`^The .*the Secret "${secretName}"|^The Secret "${secretName}"`),
      );
      world.away.faults.plan = noFaults;
      await world.setKubeconfig('rome-renewed');
      await untilProvider('Running');
    },
  );

  test('keeps what its controller says of it', async () => {
    world = await startWorld();
    const conditions = [{ type: 'Node', status: 'Running' }];
    const key = { namespace: tenantNamespace, name: 'mynode' };
    const subresource = 'status' as const;
    const said = mergePatch({ status: { conditions } });
    await world.home.admin.patch(VirtualNode, key, said, { subresource });
    world.startKubelet();
    await untilProvider('Running');
    const { status } = (await world.home.admin.get(VirtualNode, key)) ?? {};
    expect(findCondition(status?.conditions, 'Node')?.status).toBe('Running');
  });

  test('is not written to while nothing changes, however long a provider is lost', async () => {
    world = await startRunningWorld();
    world.away.faults.plan = always(lostRequest('refuse'));
    await untilProvider('Unreachable', 'ProviderUnreachable');
    await world.pass(10_000);
    world.home.faults.calls.length = 0;
    await world.pass(120_000);
    const writes = world.home.faults.calls.filter(isWrite);
    expect(writes.filter(({ resource }) => resource.startsWith('virtualnodes'))).toEqual([]);
  });

  test('says of a Secret that is spoiled that the connection still stands', async () => {
    world = await startRunningWorld();
    await world.setKubeconfig('nonsense');
    await untilProvider('Running', 'InvalidKubeconfig');
    await world.setKubeconfig('rome');
    await untilProvider('Running');
  });

  test('of an older definition costs nobody the node', async () => {
    world = await startWorld();
    world.home.faults.plan = faultOn(
      ({ resource }) => resource === 'virtualnodes.offloading.liqo.io/status',
      refusal(422),
    );
    world.startKubelet();
    await untilNode('True', 'KubeletReady');
    await world.runPod('web');
  });
});

function refuseAll(code: number): void {
  world.away.faults.plan = always(refusal(code));
}

function loseAll(): void {
  world.away.faults.plan = always(lostRequest('refuse'));
}

describe('rights that are withdrawn while the server goes on answering', () => {
  test.each([
    [401, 'RemoteUnauthorized'],
    [403, 'RemoteForbidden'],
  ])('with %i make node and pods not ready, and come back by themselves', async (code, reason) => {
    world = await startRunningWorld();
    const { metadata } = await world.runPod('web');
    world.away.faults.plan = faultOn(({ path }) => path !== '/livez', refusal(code));
    await untilNode('False', reason);
    expect((await untilProvider('Unreachable', reason))?.message).toContain(`"${secretName}"`);
    await world.until(async () => expect((await readyOf('web'))?.status).toBe('False'));
    await world.pass(60_000);
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
    world.away.faults.plan = noFaults;
    await untilNode('True', 'KubeletReady');
    await untilProvider('Running');
    await world.until(async () => expect((await readyOf('web'))?.status).toBe('True'));
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
  });

  test('for a moment make nobody not ready', async () => {
    world = await startRunningWorld();
    await world.runPod('web');
    world.home.faults.calls.length = 0;
    world.away.faults.plan = faultOn(isOfShadowPods, refusal(403));
    await world.pass(12_000);
    world.away.faults.plan = noFaults;
    await world.pass(60_000);
    const written = world.home.faults.calls.filter(isWrite).map(({ resource }) => resource);
    expect(
      written.filter((resource) => /nodes|pods/.test(resource) && !/virtual/.test(resource)),
    ).toEqual([]);
  });

  test('in a namespace that is being deleted leave the node ready', async () => {
    world = await startRunningWorld();
    const reason = 'Terminating';
    const status = { currentMapping: { shop: { reason, message: 'it is being deleted' } } };
    const key = { namespace: tenantNamespace, name: 'milan' };
    const subresource = 'status' as const;
    await world.home.admin.patch(NamespaceMap, key, mergePatch({ status }), { subresource });
    world.away.faults.plan = faultOn(isOfShadowPods, refusal(403));
    await world.pass(120_000);
    expect((await world.readiness())?.status).toBe('True');
    await untilProvider('Running');
  });

  test('in one namespace of several are named, and the node stays ready', async () => {
    world = await startWorld();
    await world.home.admin.create(Namespace, { metadata: { name: 'bar' } });
    await world.away.admin.create(Namespace, { metadata: { name: 'bar-rome' } });
    await world.map({ shop: 'shop-rome', bar: 'bar-rome' });
    world.startKubelet();
    await untilNode('True', 'KubeletReady');
    world.away.faults.plan = faultOn(
      (call) => isOfShadowPods(call) && call.namespace === 'bar-rome',
      refusal(403),
    );
    const condition = await untilProvider('Running', 'RemoteForbidden');
    expect(condition?.message).toContain('in its namespace "bar-rome"');
    await world.pass(120_000);
    expect((await world.readiness())?.status).toBe('True');
    await world.runPod('web');
    world.away.faults.plan = noFaults;
    await untilProvider('Running');
  });
});

test('a provider that answers everything but watches is lost contact until it answers them again', async () => {
  world = await startRunningWorld();
  await world.runPod('web');
  const aYear = '31536000';
  world.away.faults.plan = faultOn(({ verb }) => verb === 'watch', refusal(429, aYear));
  // By then the server has ended the watches that were open.
  await world.pass(700_000);
  await untilNode('False', 'ProviderUnreachable');
  expect((await untilProvider('Unreachable', 'ProviderUnreachable'))?.message).toContain(
    'it has not answered a watch for',
  );
  world.away.faults.plan = noFaults;
  const restoredMs = world.clock.now();
  await untilNode('True', 'KubeletReady');
  expect(world.clock.now() - restoredMs).toBeLessThan(70_000);
});

describe('a kubeconfig of another cluster', () => {
  test('is refused, and nothing is made there', async () => {
    world = await startWorld();
    await sayClusterID(world.away, 'turin');
    world.startKubelet();
    await world.createPod('web');
    const condition = await untilProvider('Unreachable', 'WrongCluster');
    expect(condition?.message).toContain(
      `the Secret "${secretName}" leads to the cluster "turin", not to "milan"`,
    );
    await untilNode('False', 'WrongCluster');
    await world.pass(60_000);
    expect(world.away.faults.calls.filter(isWrite)).toEqual([]);
    expect(world.away.faults.calls.filter(isOfShadowPods)).toEqual([]);
  });

  test('is refused although it could not say at first whose it is', async () => {
    world = await startWorld();
    await sayClusterID(world.away, 'turin');
    const isAskedWho = ({ resource, name }: ApiCall) =>
      resource === 'configmaps' && name === clusterIDInPublic.name;
    world.away.faults.plan = faultOn(isAskedWho, refusal(500));
    world.startKubelet();
    await world.createPod('web');
    await world.until(() => expect(world.away.faults.calls.some(isAskedWho)).toBe(true));
    await world.pass(1_000);
    world.away.faults.plan = noFaults;
    await untilProvider('Unreachable', 'WrongCluster');
    expect(world.away.faults.calls.filter(isWrite)).toEqual([]);
  });

  test('in the place of the right one ends no pod, and the right one helps', async () => {
    world = await startWorld();
    await using turin = await startTestCluster({ clock: world.clock, seed: 3 });
    await prepareProvider(turin);
    await sayClusterID(turin, 'turin');
    await sayClusterID(world.away, 'milan');
    world.startKubelet({
      connectProvider: async (text) =>
        text === 'rome-at-turin'
          ? turin.clientWithRightsOf(consumerUser('rome'), text)
          : world.connect(text),
    });
    const { metadata } = await world.runPod('web');
    const remote = await world.remotePod('web');
    await world.setKubeconfig('rome-at-turin');
    await untilProvider('Unreachable', 'WrongCluster');
    await world.until(async () => expect((await readyOf('web'))?.status).toBe('False'));
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
    expect(turin.faults.calls.filter(isWrite)).toEqual([]);
    await world.setKubeconfig('rome');
    await untilProvider('Running');
    await world.until(async () => expect((await readyOf('web'))?.status).toBe('True'));
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
    expect((await world.remotePod('web'))?.metadata.uid).toBe(remote?.metadata.uid);
  });

  test('cannot be told from one of a cluster that does not say who it is', async () => {
    world = await startWorld();
    world.away.faults.plan = faultOn(({ namespace }) => namespace === 'kube-public', refusal(403));
    world.startKubelet();
    await untilProvider('Running');
    await world.runPod('web');
  });
});
