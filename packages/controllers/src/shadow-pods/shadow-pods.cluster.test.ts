import { annotations, finalizers, labels, ShadowPod } from '@liqo/api';
import { Event, mergePatch, Namespace, Pod, ServiceAccount } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { failAfterEffect, isWrite, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from '../testing/hasty-clock.ts';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startShadowPodController } from './shadow-pod-controller.ts';

const patient = { timeoutMs: 30_000 };
const namespace = 'shop-rome';

type PodSpec = NonNullable<ShadowPod['spec']['pod']>;

describe('a ShadowPod', () => {
  let milan: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    milan = await startCluster('milan');
    await createNamespace(namespace, {
      [labels.remoteClusterID]: 'rome',
      'pod-security.kubernetes.io/enforce': 'baseline',
    });
  });

  beforeEach(() => {
    controller = start();
  });

  afterEach(async () => {
    milan.calls.plan = noFaults;
    await controller[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await milan[Symbol.asyncDispose]();
  });

  function start(): Stoppable {
    const at = { usualMs: 0, burstMs: 0 };
    const phaseDelays = { running: at, pending: at };
    return startShadowPodController({ ...milan.context, clock: hastyClock }, { phaseDelays });
  }

  async function createNamespace(name: string, marks: Record<string, string>): Promise<void> {
    await milan.client.create(Namespace, { metadata: { name, labels: marks } });
    await eventually(async () => {
      const account = { namespace: name, name: 'default' };
      expect(await milan.client.get(ServiceAccount, account)).toBeDefined();
    }, patient);
  }

  function shadowPod(name: string, spec: Partial<PodSpec> = {}, origin = 'rome'): ShadowPod {
    return {
      metadata: {
        name,
        namespace,
        labels: { [labels.origin]: origin, app: name },
        annotations: { [annotations.podUid]: `${name}-uid` },
      },
      spec: { pod: { containers: [{ name: 'web', image: 'nginx' }], ...spec } },
    };
  }

  async function create(name: string, spec: Partial<PodSpec> = {}, origin = 'rome') {
    await milan.client.create(ShadowPod, shadowPod(name, spec, origin));
  }

  const podOf = (name: string) => milan.client.get(Pod, { namespace, name });
  const shadowOf = (name: string) => milan.client.get(ShadowPod, { namespace, name });

  function made(name: string, except?: string) {
    return eventually(async () => {
      const pod = await podOf(name);
      if (!pod || pod.metadata.uid === except) throw new Error(`no new pod ${name}`);
      return pod;
    }, patient);
  }

  async function setPhase(name: string, phase: string): Promise<void> {
    const patch = mergePatch({ status: { phase } });
    await milan.client.patch(Pod, { namespace, name }, patch, { subresource: 'status' });
  }

  function reaches(name: string, status: object) {
    return eventually(async () => {
      expect((await shadowOf(name))?.status).toMatchObject(status);
    }, patient);
  }

  function isGone(name: string) {
    return eventually(async () => expect(await podOf(name)).toBeUndefined(), patient);
  }

  test('becomes a pod of its own, and shows its phase', async () => {
    await create('plain');
    const pod = await made('plain');
    const shadow = await shadowOf('plain');
    expect(pod.metadata).toMatchObject({
      labels: { app: 'plain', [labels.managedBy]: 'shadowpod', [labels.origin]: 'rome' },
      ownerReferences: [{ kind: 'ShadowPod', uid: shadow?.metadata.uid, controller: true }],
    });
    await setPhase('plain', 'Running');
    await reaches('plain', { phase: 'Running' });
    await milan.client.delete(ShadowPod, { namespace, name: 'plain' });
    await eventually(async () => {
      const gone = await podOf('plain');
      expect(gone === undefined || gone.metadata.deletionTimestamp !== undefined).toBe(true);
    }, patient);
  });

  test('has its pod made again until it has finished', async () => {
    await create('again');
    const first = await made('again');
    await milan.client.delete(Pod, { namespace, name: 'again' }, { gracePeriodSeconds: 0 });
    const second = await made('again', first.metadata.uid);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });

  test('that has finished stays finished, also when its pod is deleted', async () => {
    await create('once', { restartPolicy: 'Never' });
    expect((await made('once')).metadata.finalizers).toEqual([finalizers.shadowPod]);
    await setPhase('once', 'Succeeded');
    await reaches('once', { phase: 'Succeeded' });
    await milan.client.delete(Pod, { namespace, name: 'once' }, { gracePeriodSeconds: 0 });
    await isGone('once');
    await create('later');
    await made('later');
    expect(await podOf('once')).toBeUndefined();
  });

  test('whose pod finished and was deleted while nobody looked stays finished', async () => {
    await create('unseen', { restartPolicy: 'Never' });
    await made('unseen');
    await controller[Symbol.asyncDispose]();
    await setPhase('unseen', 'Succeeded');
    await milan.client.delete(Pod, { namespace, name: 'unseen' }, { gracePeriodSeconds: 0 });
    expect((await podOf('unseen'))?.metadata.deletionTimestamp).toBeDefined();
    controller = start();
    await reaches('unseen', { phase: 'Succeeded' });
    await isGone('unseen');
    await create('unseen-later');
    await made('unseen-later');
    expect(await podOf('unseen')).toBeUndefined();
  });

  /** On a machine that nobody sees: the test says what happens there. */
  async function bind(name: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: 'machine' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
    const body = JSON.stringify(binding);
    const headers = { 'content-type': 'application/json' };
    await (await milan.client.raw({ method: 'POST', path, headers, body })).text();
  }

  test('holds a pod that is deleted at work until it has ended, and knows how', async () => {
    await create('working', { restartPolicy: 'Never' });
    await made('working');
    await bind('working');
    await setPhase('working', 'Running');
    await milan.client.delete(Pod, { namespace, name: 'working' });
    await create('beside');
    await made('beside');
    expect((await podOf('working'))?.metadata.finalizers).toEqual([finalizers.shadowPod]);
    await setPhase('working', 'Succeeded');
    await milan.client.delete(Pod, { namespace, name: 'working' }, { gracePeriodSeconds: 0 });
    await reaches('working', { phase: 'Succeeded' });
    await isGone('working');
  });

  test('is followed by its pod, in labels and in what may change', async () => {
    await create('moving');
    await made('moving');
    const change = mergePatch({
      metadata: { labels: { app: null, tier: 'front' } },
      spec: { pod: { containers: [{ name: 'web', image: 'nginx:2' }] } },
    });
    await milan.client.patch(ShadowPod, { namespace, name: 'moving' }, change);
    await eventually(async () => {
      const pod = await podOf('moving');
      expect(pod?.spec?.containers[0]?.image).toBe('nginx:2');
      expect(pod?.metadata.labels).toMatchObject({ tier: 'front' });
      expect(pod?.metadata.labels).not.toHaveProperty('app');
    }, patient);
  });

  test('gets back a pod from which somebody took our label', async () => {
    await create('marked');
    await made('marked');
    const bare = mergePatch({ metadata: { labels: { [labels.managedBy]: null } } });
    await milan.client.patch(Pod, { namespace, name: 'marked' }, bare);
    await eventually(async () => {
      const pod = await podOf('marked');
      expect(pod?.metadata.labels).toMatchObject({ [labels.managedBy]: 'shadowpod' });
    }, patient);
  });

  test('leaves alone a pod of its name that is not its own, and says so', async () => {
    await milan.client.create(Pod, {
      metadata: { name: 'theirs', namespace },
      spec: { containers: [{ name: 'x', image: 'x' }] },
    });
    await create('theirs');
    await reaches('theirs', { reason: 'NameTaken' });
    expect((await podOf('theirs'))?.spec?.containers[0]?.name).toBe('x');
    expect((await podOf('theirs'))?.metadata.labels).toBeUndefined();
  });

  test('of another consumer is refused, and runs as soon as the namespace is of that one', async () => {
    await create('stranger', {}, 'paris');
    await reaches('stranger', {
      reason: 'OriginMismatch',
      message: expect.stringContaining('"paris"'),
    });
    expect(await podOf('stranger')).toBeUndefined();
  });

  test('is not refused for a namespace that was made a moment ago', async () => {
    await createNamespace('fresh-rome', {});
    const { metadata, ...rest } = shadowPod('quick');
    const marks = { [labels.remoteClusterID]: 'rome' };
    await milan.client.patch(
      Namespace,
      { name: 'fresh-rome' },
      mergePatch({ metadata: { labels: marks } }),
    );
    await milan.client.create(ShadowPod, {
      ...rest,
      metadata: { ...metadata, namespace: 'fresh-rome' },
    });
    const key = { namespace: 'fresh-rome', name: 'quick' };
    await eventually(async () => expect(await milan.client.get(Pod, key)).toBeDefined(), patient);
    const { items } = await milan.client.list(Event, { namespace: 'fresh-rome' });
    expect(items.map(({ reason }) => reason)).not.toContain('OriginMismatch');
  });

  test('that Pod Security refuses says why, and nothing of it runs', async () => {
    await create('privileged', {
      containers: [{ name: 'web', image: 'nginx', securityContext: { privileged: true } }],
    });
    await reaches('privileged', {
      phase: 'Unknown',
      reason: 'FailedCreatePod',
      message: expect.stringContaining('PodSecurity "baseline'),
    });
    expect(await podOf('privileged')).toBeUndefined();
  });

  test('gets one pod, though every answer about its creation is lost', async () => {
    const isCreation = ({ verb, resource }: { verb: string; resource: string }) =>
      verb === 'create' && resource === 'pods';
    milan.calls.plan = ofCaller(controllersUser, (call) =>
      isCreation(call) ? failAfterEffect(500) : undefined,
    );
    await create('doubtful');
    const { metadata } = await made('doubtful');
    await reaches('doubtful', { phase: 'Pending' });
    expect((await podOf('doubtful'))?.metadata.uid).toBe(metadata.uid);
  });

  function writesAbout(podName: string): readonly string[] {
    const isAbout = ({ name, body }: { name?: unknown; body?: unknown }) =>
      name === podName || String(body).includes(`"name":"${podName}"`);
    const calls = milan.calls.callsOf(controllersUser).filter(isWrite).filter(isAbout);
    return calls.map(({ verb, resource }) => `${verb} ${resource}`);
  }

  test('costs its pod and one word about it', async () => {
    milan.calls.calls.length = 0;
    await create('cheap');
    await made('cheap');
    await reaches('cheap', { phase: 'Pending' });
    expect(writesAbout('cheap')).toEqual([
      'create pods',
      'patch shadowpods.offloading.liqo.io/status',
    ]);
  });

  test('costs a finalizer more once its pod runs', async () => {
    milan.calls.calls.length = 0;
    await create('running');
    await made('running');
    await reaches('running', { phase: 'Pending' });
    await setPhase('running', 'Running');
    await eventually(async () => {
      const { finalizers: held } = (await shadowOf('running'))?.metadata ?? {};
      expect(held).toEqual([finalizers.shadowPod]);
    }, patient);
    await reaches('running', { phase: 'Running' });
    expect(writesAbout('running').toSorted()).toEqual([
      'create pods',
      'patch shadowpods.offloading.liqo.io',
      'patch shadowpods.offloading.liqo.io/status',
      'patch shadowpods.offloading.liqo.io/status',
    ]);
  });

  test('that goes is held until its pod has ended within the grace period that was asked for', async () => {
    await create('slow');
    await made('slow');
    await bind('slow');
    await setPhase('slow', 'Running');
    await eventually(async () => {
      expect((await shadowOf('slow'))?.metadata.finalizers).toEqual([finalizers.shadowPod]);
    }, patient);
    const key = { namespace, name: 'slow' };
    const ask = async (seconds: number) => {
      const notes = { [annotations.deletionGracePeriodSeconds]: String(seconds) };
      await milan.client.patch(ShadowPod, key, mergePatch({ metadata: { annotations: notes } }));
    };
    const isGiven = (seconds: number) =>
      eventually(async () => {
        expect((await podOf('slow'))?.metadata.deletionGracePeriodSeconds).toBe(seconds);
      }, patient);
    await ask(20);
    await milan.client.delete(ShadowPod, key, { propagationPolicy: 'Background' });
    await isGiven(20);
    await ask(5);
    await isGiven(5);
    expect(await shadowOf('slow')).toBeDefined();
    await milan.client.delete(Pod, key, { gracePeriodSeconds: 0 });
    await eventually(async () => expect(await shadowOf('slow')).toBeUndefined(), patient);
    expect(await podOf('slow')).toBeUndefined();
  });

  test('goes with its namespace', async () => {
    await createNamespace('brief-rome', { [labels.remoteClusterID]: 'rome' });
    const key = { namespace: 'brief-rome', name: 'brief' };
    const { metadata, spec } = shadowPod('brief');
    await milan.client.create(ShadowPod, { metadata: { ...metadata, ...key }, spec });
    await eventually(async () => expect(await milan.client.get(Pod, key)).toBeDefined(), patient);
    const patch = mergePatch({ status: { phase: 'Running' } });
    await milan.client.patch(Pod, key, patch, { subresource: 'status' });
    await eventually(async () => {
      const held = await milan.client.get(ShadowPod, key);
      expect(held?.metadata.finalizers).toEqual([finalizers.shadowPod]);
    }, patient);
    await milan.client.delete(Namespace, { name: 'brief-rome' });
    await eventually(async () => {
      expect(await milan.client.get(Namespace, { name: 'brief-rome' })).toBeUndefined();
    }, patient);
  });

  test.each(['Background', 'Foreground'] as const)(
    'that goes takes its pod along, without waiting for the garbage collector: %s',
    async (propagationPolicy) => {
      const name = `gone-${propagationPolicy.toLowerCase()}`;
      await create(name);
      const { metadata } = await made(name);
      milan.calls.calls.length = 0;
      await milan.client.delete(ShadowPod, { namespace, name }, { propagationPolicy });
      await eventually(async () => {
        const deletion = milan.calls.callsOf(controllersUser).find(({ verb }) => verb === 'delete');
        expect(deletion).toMatchObject({ resource: 'pods', name });
        expect(String(deletion?.body)).toContain(metadata.uid);
      }, patient);
      await milan.client
        .delete(Pod, { namespace, name }, { gracePeriodSeconds: 0 })
        .catch(() => {});
      await eventually(async () => expect(await shadowOf(name)).toBeUndefined(), patient);
      await isGone(name);
    },
  );

  test('is not written about again when the controller starts anew', async () => {
    await create('steady');
    await made('steady');
    await reaches('steady', { phase: 'Pending' });
    await controller[Symbol.asyncDispose]();
    milan.calls.calls.length = 0;
    controller = start();
    await create('marker');
    await made('marker');
    await reaches('marker', { phase: 'Pending' });
    const writes = milan.calls.callsOf(controllersUser).filter(isWrite);
    expect(writes.filter(({ name }) => name === 'steady' || name === 'moving')).toEqual([]);
  });
});
