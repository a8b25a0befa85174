import {
  Advertisement,
  advertisementName,
  ForeignCluster,
  NamespaceMap,
  VirtualNode,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  Event,
  Lease,
  mergePatch,
  Namespace,
  Node,
  Pod,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { CrashPoint, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hastyClock } from '../testing/hasty-clock.ts';
import { controllersUser } from '../testing/installation.ts';
import { playVirtualKubelet } from '../testing/play-virtual-kubelet.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import {
  tenantNamespace as namespace,
  prepareConsumer,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { startVirtualNodeController } from './virtual-node-controller.ts';

const patient = { timeoutMs: 30_000 };

describe('a VirtualNode that is deleted', () => {
  let rome: TestCluster;
  const running: AsyncDisposable[] = [];

  beforeAll(async () => {
    rome = await startCluster('rome');
    await prepareConsumer(rome);
    await rome.client.create(Namespace, { metadata: { name: 'shop' } });
    await eventually(async () => {
      const account = await rome.client.get(ServiceAccount, { namespace: 'shop', name: 'default' });
      expect(account).toBeDefined();
    }, patient);
  });

  afterEach(async () => {
    rome.calls.plan = noFaults;
    for (const part of running.splice(0).reverse()) await part[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await rome[Symbol.asyncDispose]();
  });

  function start(drainTimeoutMs = 60_000): Stoppable {
    const context = { ...rome.context, clock: hastyClock };
    const controller = startVirtualNodeController(context, { drainTimeoutMs });
    running.push(controller);
    return controller;
  }

  /** A virtual node with a kubelet that is played, or with none that answers. */
  async function createNode(name: string, kubelet: 'played' | 'dead'): Promise<void> {
    await rome.client.create(VirtualNode, virtualNodeCalled(name));
    await eventually(async () => {
      const key = { namespace, name: `vk-${name}` };
      expect(await rome.client.get(Deployment, key)).toBeDefined();
    }, patient);
    const played = await playVirtualKubelet(rome.client, name);
    if (kubelet === 'played') running.push(played);
    else await played[Symbol.asyncDispose]();
  }

  async function createPod(name: string, nodeName: string, metadata: Pod['metadata'] = {}) {
    await rome.client.create(Pod, {
      metadata: { name, namespace: 'shop', ...metadata },
      spec: {
        nodeName,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'web', image: 'nginx' }],
      },
    });
  }

  /** Budgets do not speak of pods that never ran. */
  async function runPod(name: string): Promise<void> {
    const conditions = [{ type: 'Ready', status: 'True' }];
    const patch = mergePatch({ status: { phase: 'Running', conditions } });
    const key = { namespace: 'shop', name };
    await rome.client.patch(Pod, key, patch, { subresource: 'status' });
  }

  async function remove(name: string): Promise<void> {
    await rome.client.delete(VirtualNode, { namespace, name });
  }

  async function isGone(name: string): Promise<void> {
    await eventually(async () => {
      expect(await rome.client.get(VirtualNode, { namespace, name })).toBeUndefined();
    }, patient);
  }

  async function leavesNothing(name: string): Promise<void> {
    const key = { namespace, name };
    const { client } = rome;
    expect(await client.get(Node, { name })).toBeUndefined();
    expect(await client.get(Lease, { namespace: 'kube-node-lease', name })).toBeUndefined();
    const atLeases = { namespace: 'kube-node-lease', name: `liqo-node-${name}` };
    expect(await client.get(RoleBinding, atLeases)).toBeUndefined();
    expect(await client.get(Role, atLeases)).toBeUndefined();
    expect(await client.get(Deployment, { namespace, name: `vk-${name}` })).toBeUndefined();
    expect(await client.get(ClusterRoleBinding, { name: `liqo-node-${name}` })).toBeUndefined();
    expect(await client.get(ServiceAccount, key)).toBeUndefined();
    expect(await client.get(Role, key)).toBeUndefined();
    expect(await client.get(RoleBinding, key)).toBeUndefined();
    const pods = await client.list(Pod, { fieldSelector: `spec.nodeName=${name}` });
    expect(pods.items).toEqual([]);
  }

  function says(name: string, text: string) {
    return eventually(async () => {
      const { status } = (await rome.client.get(VirtualNode, { namespace, name })) ?? {};
      const messages = status?.conditions?.map(({ message }) => message);
      expect(messages?.join()).toContain(text);
    }, patient);
  }

  test('evicts the pods, heeding disruption budgets, and those of DaemonSets go with the Node', async () => {
    start();
    await createNode('polite', 'played');
    await createPod('kept', 'polite', { labels: { app: 'kept' } });
    await runPod('kept');
    await createPod('free', 'polite');
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'x' };
    await createPod('agent', 'polite', { ownerReferences: [{ ...owner, controller: true }] });
    await rome.client.create(PodDisruptionBudget, {
      metadata: { name: 'keep', namespace: 'shop' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'kept' } } },
    });
    await remove('polite');
    await says('polite', 'a disruption budget keeps shop/kept');
    const free = { namespace: 'shop', name: 'free' };
    await eventually(async () => expect(await rome.client.get(Pod, free)).toBeUndefined(), patient);
    const node = await rome.client.get(Node, { name: 'polite' });
    expect(node?.spec?.unschedulable).toBe(true);
    expect(await rome.client.get(Pod, { namespace: 'shop', name: 'kept' })).toBeDefined();
    await rome.client.delete(PodDisruptionBudget, { namespace: 'shop', name: 'keep' });
    await isGone('polite');
    await leavesNothing('polite');
  });

  async function abandoned(name: string): Promise<string> {
    return eventually(async () => {
      const { items } = await rome.client.list(Event);
      const notes = items.filter(
        ({ reason, regarding }) => reason === 'PodsAbandoned' && regarding?.name === name,
      );
      expect(notes).toHaveLength(1);
      return notes[0]?.note ?? '';
    }, patient);
  }

  test('waits no longer than its deadline, whoever holds the pods, and an event names them', async () => {
    start(0);
    await createNode('late', 'dead');
    await createPod('stuck', 'late', { finalizers: ['example.org/forever'] });
    await remove('late');
    await isGone('late');
    expect(await abandoned('late')).toContain('shop/stuck');
    const stuck = { namespace: 'shop', name: 'stuck' };
    await rome.client.patch(Pod, stuck, mergePatch({ metadata: { finalizers: null } }));
    await eventually(
      async () => expect(await rome.client.get(Pod, stuck)).toBeUndefined(),
      patient,
    );
    await leavesNothing('late');
  });

  test('does not wait for a provider that is gone for good', async () => {
    start();
    await createNode('orphan', 'dead');
    await createPod('lost', 'orphan');
    await remove('orphan');
    await says('orphan', 'Waiting for 1 pods');
    const permanently = { 'liqo.io/foreign-cluster-permanently-unreachable': 'true' };
    await rome.client.create(ForeignCluster, {
      metadata: { name: 'milan', annotations: permanently },
      spec: { clusterID: 'milan' },
    });
    await isGone('orphan');
    expect(await abandoned('orphan')).toContain('shop/lost');
    await leavesNothing('orphan');
    await rome.client.delete(ForeignCluster, { name: 'milan' });
  });

  test('has a virtual kubelet that is lost made again while pods are left, and no longer', async () => {
    start();
    await createNode('bereft', 'dead');
    await createPod('last', 'bereft', { finalizers: ['example.org/forever'] });
    await remove('bereft');
    await says('bereft', 'Waiting for 1 pods');
    const key = { namespace, name: 'vk-bereft' };
    const before = await rome.client.get(Deployment, key);
    await rome.client.delete(Deployment, key);
    await eventually(async () => {
      const after = await rome.client.get(Deployment, key);
      expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
      expect(after?.spec).toEqual(before?.spec);
    }, patient);
    const last = { namespace: 'shop', name: 'last' };
    await rome.client.patch(Pod, last, mergePatch({ metadata: { finalizers: null } }));
    await rome.client.delete(Pod, last, { gracePeriodSeconds: 0 }).catch(() => undefined);
    await isGone('bereft');
    await leavesNothing('bereft');
  });

  test('does not wait for the provider of an offer that was given up', async () => {
    start();
    const offer = await rome.client.create(Advertisement, {
      metadata: { namespace, name: advertisementName('milan') },
      spec: {
        providerClusterID: 'milan',
        consumerClusterID: 'rome',
        resourceQuota: { hard: { cpu: '1' } },
        kubeConfigRef: { name: 'kubeconfig-offer' },
        timestamp: '2026-11-19T10:00:00Z',
        timeToLive: '2026-11-19T10:30:00Z',
      },
    });
    await createNode('silent', 'dead');
    const { apiVersion, kind } = offer;
    const owner = { apiVersion, kind, name: offer.metadata.name, uid: offer.metadata.uid };
    const owned = mergePatch({ metadata: { ownerReferences: [owner] } } as never);
    await rome.client.patch(VirtualNode, { namespace, name: 'silent' }, owned);
    await createPod('unheard', 'silent');
    await remove('silent');
    await says('silent', 'Waiting for 1 pods');
    const lastTransitionTime = '2026-11-19T10:01:00Z';
    const condition = { type: 'Reachable', status: 'False', reason: 'NoAnswer', message: '' };
    const status = { phase: 'Accepted', conditions: [{ ...condition, lastTransitionTime }] };
    const key = { namespace, name: offer.metadata.name };
    const given = mergePatch({ status } as never);
    await rome.client.patch(Advertisement, key, given, { subresource: 'status' });
    await isGone('silent');
    expect(await abandoned('silent')).toContain('shop/unheard');
    await rome.client.delete(Advertisement, key);
  });

  test('keeps what was agreed about namespaces until the last one of its provider is gone', async () => {
    start();
    const map = { namespace, name: 'milan' };
    await createNode('first', 'played');
    await createNode('second', 'played');
    await remove('first');
    await isGone('first');
    expect((await rome.client.get(NamespaceMap, map))?.metadata.deletionTimestamp).toBeUndefined();
    await createNode('third', 'played');
    await Promise.all([remove('second'), remove('third')]);
    await isGone('second');
    await isGone('third');
    expect(await rome.client.get(NamespaceMap, map)).toBeUndefined();
  });

  test('leaves nothing, after whatever write of its the controller dies', async () => {
    let at = 1;
    while (!(await survives(at))) at += 1;
    expect(at).toBeGreaterThan(10);
  });

  /** It runs, and a pod on its Node, if there is a Deployment for it. */
  async function startKubeletOf(name: string): Promise<AsyncDisposable | undefined> {
    const deployment = await rome.client.get(Deployment, { namespace, name: `vk-${name}` });
    if (!deployment) return undefined;
    const played = await playVirtualKubelet(rome.client, name);
    await createPod(name, name);
    return played;
  }

  /** Whether it made fewer writes than that. */
  async function survives(at: number): Promise<boolean> {
    const name = `mortal-${at}`;
    const crash = new CrashPoint({ at, when: 'after' });
    rome.calls.plan = ofCaller(controllersUser, crash.plan);
    const first = start();
    await rome.client.create(VirtualNode, virtualNodeCalled(name));
    const isUp = eventually(async () => {
      const { status } = (await rome.client.get(VirtualNode, { namespace, name })) ?? {};
      expect(status?.conditions).toHaveLength(2);
    }, patient);
    await Promise.race([isUp, crash.happened]);
    isUp.catch(() => undefined);
    await using _ = await startKubeletOf(name);
    await remove(name);
    const isDown = isGone(name);
    await Promise.race([isDown, crash.happened]);
    isDown.catch(() => undefined);
    rome.calls.plan = noFaults;
    await first.stop?.({ drainMs: 0 });
    const second = start();
    await isGone(name);
    await leavesNothing(name);
    expect(await rome.client.get(NamespaceMap, { namespace, name: 'milan' })).toBeUndefined();
    await second[Symbol.asyncDispose]();
    return !crash.hasHappened;
  }
});
