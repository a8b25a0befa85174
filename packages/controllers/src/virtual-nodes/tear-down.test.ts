import {
  Advertisement,
  ForeignCluster,
  labels,
  labelValues,
  NamespaceMap,
  VirtualNode,
} from '@liqo/api';
import { Deployment, formatTime, isInvalid, Namespace, Node, Pod } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  tenantNamespace as namespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { removeNode, tearDown } from './tear-down.ts';

const name = 'mynode';
const ours: Record<string, string> = {
  [labels.type]: labelValues.virtualNode,
  [labels.remoteClusterID]: 'milan',
};
const wanted = virtualNodeCalled(name).spec;
const containers = [{ name: 'main', image: 'i' }];
const selected = { [labels.virtualNode]: name };

interface Surroundings {
  /** Whether there is an older VirtualNode of that name in another namespace. */
  readonly hasElder?: boolean;
  readonly spec?: VirtualNode['spec'];
  /** Of the condition `Provider`. */
  readonly reason?: string;
  readonly deletedAgoMs?: number;
}

async function startWorld(surroundingsOf: Surroundings = {}) {
  const { hasElder = false, spec = wanted, reason, deletedAgoMs } = surroundingsOf;
  const world = await startQuietWorld(
    [namespace],
    [Advertisement, VirtualNode, ForeignCluster, NamespaceMap],
  );
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, run, cacheOf, faults } = world;
  if (hasElder) {
    const elsewhere = { name, namespace: 'liqo-tenant-oslo' };
    await admin.create(Namespace, { metadata: { name: elsewhere.namespace } });
    await admin.create(VirtualNode, { ...virtualNodeCalled(name), metadata: elsewhere });
    await clock.advance(1_000);
  }
  const created = await admin.create(VirtualNode, { ...virtualNodeCalled(name), spec });
  const deletionTimestamp =
    deletedAgoMs === undefined ? undefined : formatTime(clock.now() - deletedAgoMs);
  const virtualNode: typeof created = {
    ...created,
    metadata: { ...created.metadata, ...(deletionTimestamp && { deletionTimestamp }) },
    ...(reason && {
      status: { conditions: [{ type: 'Provider', status: 'Unreachable', reason }] },
    }),
  };
  const events = { record: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  const surroundings = async () => ({
    client,
    clock,
    events,
    drainTimeoutMs: 60_000,
    whyMisplaced: () => undefined,
    virtualNodes: await cacheOf(VirtualNode),
    peers: await cacheOf(ForeignCluster),
    offers: await cacheOf(Advertisement),
  });
  const restored: string[] = [];
  return {
    ...world,
    /** How often the virtual kubelet was made again. */
    restored,
    tearDown: async (obstacle?: string) =>
      tearDown(await surroundings(), virtualNode, {
        async restoreKubelet() {
          restored.push(name);
          return obstacle === undefined ? undefined : { message: obstacle };
        },
        signal: run.signal,
      }),
    removeNode: async () => removeNode(await surroundings(), virtualNode, run.signal),
    createNode: (unschedulable = true, marks = ours) =>
      admin.create(Node, { metadata: { name, labels: marks }, spec: { unschedulable } }),
    node: () => admin.get(Node, { name }),
    createPod: (podName: string, finalizers: string[] = []) =>
      admin.create(Pod, {
        metadata: { namespace, name: podName, finalizers },
        spec: { nodeName: name, containers },
      }),
    createKubelet: (podName: string, virtualNodeName: string, args: string[] = []) =>
      admin.create(Pod, {
        metadata: {
          namespace,
          name: podName,
          labels: {
            [labels.component]: labelValues.virtualKubelet,
            [labels.virtualNode]: virtualNodeName,
          },
        },
        spec: { containers: [{ name: 'virtual-kubelet', image: 'i', args }] },
      }),
    createDeployment: (marks: Record<string, string> = selected) =>
      admin.create(Deployment, {
        metadata: { namespace, name: `vk-${name}` },
        spec: {
          selector: { matchLabels: marks },
          template: { metadata: { labels: marks }, spec: { containers } },
        },
      }),
    deployment: () => admin.get(Deployment, { namespace, name: `vk-${name}` }),
    isGoing: async (podName: string) => {
      const pod = await admin.get(Pod, { namespace, name: podName });
      return pod?.metadata.deletionTimestamp !== undefined;
    },
    callsOf: (verb: string, resource: string) =>
      faults.calls
        .filter((call) => call.verb === verb && call.resource === resource)
        .map((call) => call.name),
  };
}

describe('tearDown()', () => {
  test('cordons the Node that it has looked at, and no later one of its name', async () => {
    const world = await startWorld();
    await world.createNode(false);
    const before = async () => {
      await world.admin.delete(Node, { name });
      await world.createNode(false);
    };
    world.faults.plan = faultOn(({ verb }) => verb === 'patch', { before });
    expect(await rejection(world.tearDown())).toSatisfy(isInvalid);
    expect((await world.node())?.spec?.unschedulable).not.toBe(true);
  });

  test('is tried again when a pod cannot be evicted, which does not keep the others', async () => {
    const world = await startWorld();
    await world.createNode();
    for (const pod of ['a', 'b']) await world.createPod(pod);
    world.faults.plan = faultOn(
      (call) => call.resource === 'pods/eviction' && call.name === 'a',
      refusal(500),
    );
    expect(await rejection(world.tearDown())).toMatchObject({ code: 500 });
    expect(await world.isGoing('a')).toBe(false);
    expect(await world.isGoing('b')).toBe(true);
  });

  test('does not mind a pod that is gone already, nor evicts one twice', async () => {
    const world = await startWorld();
    await world.createDeployment();
    await world.createNode();
    await world.createPod('quick');
    await world.createPod('slow', ['test/held']);
    const key = { namespace, name: 'quick' };
    const before = () => world.admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    world.faults.plan = faultOn((call) => call.name === 'quick', { before });
    expect(await world.tearDown()).toMatchObject({ step: 'evict' });
    expect(await world.tearDown()).toMatchObject({ step: 'evict' });
    expect(world.callsOf('create', 'pods/eviction')).toEqual(['quick', 'slow']);
  });

  test('deletes what is left without a Node once, and waits for it', async () => {
    const world = await startWorld();
    await world.createDeployment();
    await world.createPod('left', ['test/held']);
    expect(await world.tearDown()).toMatchObject({ step: 'delete-pods' });
    expect(await world.tearDown()).toMatchObject({ step: 'delete-pods' });
    expect(world.callsOf('delete', 'pods')).toEqual(['left']);
  });

  test('makes a lost virtual kubelet again while pods are left, and evicts them', async () => {
    const world = await startWorld();
    await world.createNode();
    await world.createPod('left', ['test/held']);
    expect(await world.tearDown()).toMatchObject({ step: 'restore-kubelet' });
    expect(world.restored).toHaveLength(1);
    expect(await world.isGoing('left')).toBe(true);
    await world.createDeployment();
    expect(await world.tearDown()).toMatchObject({ step: 'evict' });
    expect(world.restored).toHaveLength(1);
  });

  test('says what keeps a lost virtual kubelet from coming back, and evicts all the same', async () => {
    const world = await startWorld();
    await world.createNode();
    await world.createPod('left', ['test/held']);
    const { message } = await world.tearDown('the options are gone');
    expect(message).toContain('the options are gone');
    expect(await world.isGoing('left')).toBe(true);
  });

  test.each([
    [
      'waits for the pods of a provider that cannot be reached',
      'ProviderUnreachable',
      20_000,
      'evict',
    ],
    ['waits a moment for the rights at a provider', 'RemoteForbidden', 5_000, 'evict'],
    [
      'abandons the pods of a provider that has drained the consumer',
      'RemoteForbidden',
      20_000,
      'release',
    ],
  ])('%s', async (_, reason, deletedAgoMs, step) => {
    const world = await startWorld({ reason, deletedAgoMs });
    await world.createNode();
    await world.createDeployment();
    await world.createPod('web', ['example.com/held']);
    expect(await world.tearDown()).toMatchObject({ step });
  });

  test('leaves the Node and its pods to an older VirtualNode of that name', async () => {
    const world = await startWorld({ hasElder: true });
    await world.createNode(false);
    await world.createPod('theirs');
    expect(await world.tearDown()).toMatchObject({ step: 'finish' });
    expect((await world.node())?.spec?.unschedulable).not.toBe(true);
    expect(await world.isGoing('theirs')).toBe(false);
  });

  test.each([
    ['that is not virtual', { [labels.remoteClusterID]: 'milan' }],
    ['of another provider', { ...ours, [labels.remoteClusterID]: 'oslo' }],
  ])('leaves a Node %s alone, and its pods', async (_, marks) => {
    const world = await startWorld();
    await world.createNode(false, marks);
    await world.createPod('theirs');
    expect(await world.tearDown()).toMatchObject({ step: 'finish' });
    expect((await world.node())?.spec?.unschedulable).not.toBe(true);
    expect(await world.isGoing('theirs')).toBe(false);
  });

  test('waits for the last pod of the virtual kubelet, and not for those of others', async () => {
    const world = await startWorld();
    await world.createKubelet('vk-another', 'another');
    await world.createKubelet('vk-mynode', name);
    expect(await world.tearDown()).toMatchObject({ step: 'delete-kubelet' });
    await world.admin.delete(Pod, { namespace, name: 'vk-mynode' });
    expect(await world.tearDown()).toMatchObject({ step: 'finish' });
  });

  test('deletes the virtual kubelet, whatever became of its labels', async () => {
    const world = await startWorld();
    await world.createDeployment();
    expect(await world.tearDown()).toMatchObject({ step: 'delete-kubelet' });
    expect(await world.deployment()).toBeUndefined();
  });

  test.each([
    ['somebody else', { app: 'theirs' }],
    ['another virtual node', { [labels.virtualNode]: 'another' }],
  ])('leaves a Deployment of %s alone that has the name', async (_, marks) => {
    const world = await startWorld();
    await world.createDeployment(marks);
    expect(await world.tearDown()).toMatchObject({ step: 'finish' });
    expect(await world.deployment()).toBeDefined();
  });

  test('leaves a Deployment of somebody else alone while the last virtual kubelet goes', async () => {
    const world = await startWorld();
    await world.createDeployment({ app: 'theirs' });
    await world.createKubelet('vk-mynode', name);
    expect(await world.tearDown()).toMatchObject({ step: 'delete-kubelet' });
    expect(await world.deployment()).toBeDefined();
  });
});

describe('removeNode()', () => {
  test('waits for a virtual kubelet whose options alone say that there is no Node any more', async () => {
    const { createNode: _, ...undecided } = wanted;
    const world = await startWorld({ spec: undecided });
    await world.createNode();
    await world.createKubelet('vk-another', 'another', ['--create-node=true']);
    await world.createKubelet('vk-new', name, ['--create-node=false']);
    await world.createKubelet('vk-old', name, ['--create-node=true']);
    const waiting = { reason: 'Waiting for the virtual kubelet that makes the Node to go' };
    expect(await world.removeNode()).toMatchObject(waiting);
    expect(await world.node()).toBeDefined();
    await world.admin.delete(Pod, { namespace, name: 'vk-old' });
    await world.removeNode();
    expect(await world.node()).toBeUndefined();
  });

  test('waits for nobody whom the VirtualNode has told so', async () => {
    const world = await startWorld({ spec: { ...wanted, createNode: false } });
    await world.createNode();
    await world.createKubelet('vk-old', name, ['--create-node=true']);
    await world.removeNode();
    expect(await world.node()).toBeUndefined();
  });
});
