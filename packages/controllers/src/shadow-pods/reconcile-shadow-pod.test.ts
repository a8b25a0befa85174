import { finalizers, labels, ShadowPod } from '@liqo/api';
import { formatTime, isConflict, mergePatch, Namespace, Pod, type Stored } from '@liqo/kube';
import {
  defaultPhaseDelays,
  defaultPodPolicy,
  type PhaseDelays,
  type TenantLimits,
} from '@liqo/model';
import { rejection } from '@liqo/testkit';
import { faultOn, isWrite, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openGate } from '../quotas/quota-gate.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { ShadowPodReconciler } from './reconcile-shadow-pod.ts';
import { Rush } from './rush.ts';

const key = { namespace: 'shop-rome', name: 'web' };
const requests = { cpu: '1' };

const none: PhaseDelays = {
  running: { usualMs: 0, burstMs: 0 },
  pending: { usualMs: 0, burstMs: 0 },
};

type PodSpec = NonNullable<ShadowPod['spec']['pod']>;

const longDelay = { usualMs: 15_000, burstMs: 90_000 };
const long: PhaseDelays = { running: longDelay, pending: longDelay };

async function startWorld() {
  const world = await startQuietWorld([key.namespace, 'shop-paris'], [ShadowPod]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, run, cacheOf, faults } = world;
  const marks = { [labels.remoteClusterID]: 'rome' };
  await admin.patch(
    Namespace,
    { name: key.namespace },
    mergePatch({ metadata: { labels: marks } }),
  );
  const look = async () => ({
    shadowPods: await cacheOf(ShadowPod),
    pods: await cacheOf(Pod),
    namespaces: await cacheOf(Namespace),
  });
  const rush = new Rush({ clock, many: 1, windowMs: 10_000 });
  const tenantLimits: TenantLimits = { namespaces: 1, pods: 2, slices: 1 };
  const events = world.recorder;
  const limits = { tenantLimits, podPolicy: defaultPodPolicy, quotas: openGate };
  const sight = { client, clock, random: () => 0.5, phaseDelays: none, ...limits, events };
  const seen = { ...sight, rushOf: () => rush, ...(await look()) };
  const reconciler = new ShadowPodReconciler(seen);
  return {
    ...world,
    rush,
    look,
    reconcile: async (caches = look(), phaseDelays: PhaseDelays = none) => {
      Object.assign(seen, await caches, { phaseDelays });
      return reconciler.reconcile(key, run);
    },
    create: (spec: Partial<PodSpec> = {}) => {
      const container = { name: 'web', image: 'nginx', resources: { requests } };
      return admin.create(ShadowPod, {
        metadata: { ...key, labels: { [labels.origin]: 'rome' } },
        spec: { pod: { containers: [container], ...spec } },
      });
    },
    pod: () => admin.get(Pod, key) as Promise<Stored<Pod>>,
    shadowPod: () => admin.get(ShadowPod, key),
    start: () => {
      const running = { startedAt: formatTime(clock.now()) };
      const container = { name: 'web', image: 'nginx', imageID: '', ready: true, restartCount: 0 };
      const status = {
        phase: 'Running',
        containerStatuses: [{ ...container, state: { running } }],
      };
      return admin.patch(Pod, key, mergePatch({ status }), { subresource: 'status' });
    },
    setPhase: (phase: string) =>
      admin.patch(Pod, key, mergePatch({ status: { phase } }), { subresource: 'status' }),
    refuse: (verb: string, resource: string, code: number) => {
      const isMeant = (call: { verb: string; resource: string }) =>
        call.verb === verb && call.resource === resource;
      faults.plan = faultOn(isMeant, refusal(code));
    },
  };
}

const statusOfShadowPods = 'shadowpods.offloading.liqo.io/status';

describe('a consumer with as many pods as it may have', () => {
  test('gets no further pod, with the reason in status and Event, until another one has ended', async () => {
    const { admin, create, reconcile, pod, shadowPod, events } = await startWorld();
    const spec = { containers: [{ name: 'web', image: 'nginx', resources: { requests } }] };
    const other = (name: string) => ({ metadata: { namespace: key.namespace, name }, spec });
    for (const name of ['a', 'b']) await admin.create(Pod, other(name));
    await create();
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 30_000 });
    expect(await pod()).toBeUndefined();
    expect((await shadowPod())?.status).toMatchObject({ reason: 'TenantLimitReached' });
    expect(events).toMatchObject([{ type: 'Warning', reason: 'TenantLimitReached' }]);
    await admin.delete(Pod, { namespace: key.namespace, name: 'a' }, { gracePeriodSeconds: 0 });
    await reconcile();
    expect(await pod()).toBeDefined();
  });

  test('is not counted with the pods of another consumer', async () => {
    const { admin, create, reconcile, pod } = await startWorld();
    const marks = { [labels.remoteClusterID]: 'paris' };
    const change = mergePatch({ metadata: { labels: marks } });
    await admin.patch(Namespace, { name: 'shop-paris' }, change);
    const spec = { containers: [{ name: 'web', image: 'nginx', resources: { requests } }] };
    for (const name of ['a', 'b', 'c']) {
      await admin.create(Pod, { metadata: { namespace: 'shop-paris', name }, spec });
    }
    await create();
    await reconcile();
    expect(await pod()).toBeDefined();
  });
});

describe('a ShadowPod of a malicious consumer', () => {
  test.each([
    ['tolerates all taints', { tolerations: [{ operator: 'Exists' }] }],
    ['chooses node and scheduler', { nodeName: 'control-plane', schedulerName: 'theirs' }],
    ['uses the host', { hostNetwork: true, hostPID: true, hostIPC: true }],
    ['wants a token', { automountServiceAccountToken: true }],
    ['wants precedence', { priorityClassName: 'system-node-critical' }],
  ])('becomes an ordinary pod: it %s', async (_, spec) => {
    const { create, reconcile, pod } = await startWorld();
    await create(spec);
    await reconcile();
    const { spec: made } = await pod();
    expect(made).toMatchObject({
      automountServiceAccountToken: false,
      schedulerName: 'default-scheduler',
    });
    expect(made).not.toHaveProperty('nodeName');
    expect(made).not.toHaveProperty('hostNetwork');
    expect(made?.priority ?? 0).toBe(0);
    const keys = made?.tolerations?.map(({ key, effect }) => `${key}:${effect}`) ?? [];
    expect([
      'node.kubernetes.io/not-ready:NoExecute',
      'node.kubernetes.io/unreachable:NoExecute',
    ]).toEqual(expect.arrayContaining(keys));
  });

  test.each([
    ['an account of the provider', { serviceAccountName: 'admin' }, 'service account "admin"'],
    ['a volume', { volumes: [{ name: 'data', nfs: { server: 'x', path: '/' } }] }, 'type nfs'],
    [
      'the control plane',
      { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } },
      'nodes',
    ],
  ])(
    'gets no pod, with the reason in status and Event, when it asks for %s',
    async (_, spec, fact) => {
      const { create, reconcile, pod, shadowPod, events } = await startWorld();
      await create(spec);
      expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 30_000 });
      expect(await pod()).toBeUndefined();
      const message = expect.stringContaining(fact);
      expect((await shadowPod())?.status).toMatchObject({ reason: 'PodPolicy', message });
      expect(events).toMatchObject([{ type: 'Warning', reason: 'PodPolicy', note: message }]);
    },
  );

  test('says that it is malformed instead of failing for ever', async () => {
    const { create, reconcile, pod, shadowPod } = await startWorld();
    await create({ terminationGracePeriodSeconds: 'long' as never });
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 30_000 });
    expect(await pod()).toBeUndefined();
    expect((await shadowPod())?.status).toMatchObject({ reason: 'FailedCreatePod' });
  });
});

describe('a ShadowPod that is reconciled', () => {
  test('gets no pod any more when it is gone, whatever the cache still shows', async () => {
    const { admin, clock, create, look, reconcile, pod } = await startWorld();
    await create();
    const before = await look();
    await clock.advance(60_000);
    await admin.delete(ShadowPod, key);
    expect(await reconcile(Promise.resolve(before))).toMatchObject({ type: 'requeueAfter' });
    expect(await pod()).toBeUndefined();
  });

  test('gets no second pod when it is deleted, however new it is and whatever the cache still shows', async () => {
    const { admin, create, look, reconcile, pod } = await startWorld();
    await create();
    const before = await look();
    await reconcile();
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await admin.delete(ShadowPod, key, { propagationPolicy: 'Foreground' });
    expect(await reconcile(Promise.resolve(before))).toMatchObject({ type: 'requeueAfter' });
    expect(await pod()).toBeUndefined();
  });

  test('gets no pod any more when another one has its name, whatever the cache still shows', async () => {
    const { admin, clock, create, look, reconcile, pod } = await startWorld();
    await create();
    const before = await look();
    await clock.advance(60_000);
    await admin.delete(ShadowPod, key);
    await create();
    expect(await reconcile(Promise.resolve(before))).toMatchObject({ type: 'requeueAfter' });
    expect(await pod()).toBeUndefined();
  });

  test('gets its pod again when that is gone, however old it is', async () => {
    const { clock, create, reconcile, pod } = await startWorld();
    await create();
    await clock.advance(60_000);
    await reconcile();
    expect(await pod()).toBeDefined();
  });

  test('tells what it wrote, so that nobody acts before the cache shows it', async () => {
    const { admin, create, reconcile, written, pod, shadowPod } = await startWorld();
    await create();
    await reconcile();
    expect(written).toEqual([await pod()]);
    await reconcile();
    expect(written.slice(1)).toEqual([await shadowPod()]);
    const change = mergePatch({ metadata: { labels: { tier: 'front' } } });
    await admin.patch(ShadowPod, key, change);
    await reconcile();
    expect(written.slice(2)).toEqual([await pod()]);
  });

  test('is part of a rush when its pod is made, and not when it is refused', async () => {
    const { create, reconcile, refuse, rush } = await startWorld();
    await create();
    refuse('create', 'pods', 403);
    await reconcile();
    expect(rush.isOn).toBe(false);
    refuse('create', 'nothing', 403);
    await reconcile();
    expect(rush.isOn).toBe(true);
  });

  test('is part of a rush when its pod is ended, and not while that takes its time', async () => {
    const { admin, clock, create, pod, reconcile, rush } = await startWorld();
    await create();
    await reconcile();
    await admin.bind(key, 'nowhere');
    await clock.advance(10_000);
    await admin.delete(ShadowPod, key, { propagationPolicy: 'Foreground' });
    expect(rush.isOn).toBe(false);
    await reconcile();
    expect((await pod()).metadata.deletionTimestamp).toBeDefined();
    expect(rush.isOn).toBe(true);
    await clock.advance(10_000);
    await reconcile();
    expect(rush.isOn).toBe(false);
  });

  test('reports Running a second after the start of the container, with half a second of spread', async () => {
    const { clock, create, look, reconcile, start, shadowPod } = await startWorld();
    await create();
    await clock.advance(60_000);
    await reconcile(look(), defaultPhaseDelays);
    await clock.advance(10_000);
    await start();
    expect(await reconcile(look(), defaultPhaseDelays)).toMatchObject({
      type: 'requeueAfter',
      delayMs: 1_250,
    });
    expect((await shadowPod())?.status).toBeUndefined();
    await clock.advance(1_250);
    expect(await reconcile(look(), defaultPhaseDelays)).toMatchObject({ type: 'done' });
    expect((await shadowPod())?.status).toEqual({ phase: 'Running' });
  });

  test('reports Running within ten seconds in a burst, whatever else happens', async () => {
    const { clock, create, look, reconcile, rush, start, shadowPod } = await startWorld();
    await create();
    await reconcile(look(), defaultPhaseDelays);
    await start();
    rush.note();
    const waits = { type: 'requeueAfter', delayMs: 6_250 };
    expect(await reconcile(look(), defaultPhaseDelays)).toMatchObject(waits);
    await clock.advance(4_000);
    rush.note();
    expect(await reconcile(look(), defaultPhaseDelays)).toMatchObject({ delayMs: 2_250 });
    expect((await shadowPod())?.status).toBeUndefined();
    await clock.advance(2_250);
    rush.note();
    await reconcile(look(), defaultPhaseDelays);
    expect((await shadowPod())?.status?.phase).toBe('Running');
  });

  test('writes one status for a pod that is re-created and soon runs again', async () => {
    const { admin, clock, create, look, reconcile, start, setPhase, shadowPod, faults } =
      await startWorld();
    await create();
    await reconcile(look(), defaultPhaseDelays);
    await clock.advance(10_000);
    await start();
    await clock.advance(1_500);
    await reconcile(look(), defaultPhaseDelays);
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await clock.advance(10_000);
    await reconcile(look(), defaultPhaseDelays);
    await setPhase('Pending');
    await reconcile(look(), defaultPhaseDelays);
    await clock.advance(3_000);
    await start();
    await reconcile(look(), defaultPhaseDelays);
    const writes = faults.calls.filter(({ resource }) => resource === statusOfShadowPods);
    expect(writes).toHaveLength(1);
    expect((await shadowPod())?.status?.phase).toBe('Running');
  });

  test('is held by a finalizer while its pod runs, and not before', async () => {
    const { clock, create, reconcile, setPhase, shadowPod, written } = await startWorld();
    await create();
    await reconcile();
    await clock.advance(10_000);
    await reconcile();
    expect((await shadowPod())?.metadata.finalizers).toBeUndefined();
    await setPhase('Running');
    await reconcile();
    expect((await shadowPod())?.metadata.finalizers).toEqual([finalizers.shadowPod]);
    expect(written.at(-1)).toEqual(await shadowPod());
    const writes = written.length;
    await reconcile();
    expect(written).toHaveLength(writes);
  });

  test('is held once its phase is recorded when many others are being made', async () => {
    const { clock, create, look, reconcile, rush, setPhase, shadowPod } = await startWorld();
    await create();
    await reconcile(look(), long);
    await setPhase('Running');
    rush.note();
    await reconcile(look(), long);
    expect((await shadowPod())?.metadata.finalizers).toBeUndefined();
    await clock.advance(90_000);
    rush.note();
    await reconcile(look(), long);
    expect((await shadowPod())?.metadata.finalizers).toEqual([finalizers.shadowPod]);
  });

  test('that goes is held until its pod is gone', async () => {
    const { admin, create, pod, reconcile, setPhase, shadowPod } = await startWorld();
    await create();
    await reconcile();
    await admin.bind(key, 'nowhere');
    await setPhase('Running');
    await reconcile();
    await admin.delete(ShadowPod, key);
    await reconcile();
    expect((await pod()).metadata.deletionTimestamp).toBeDefined();
    await reconcile();
    expect(await shadowPod()).toBeDefined();
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await reconcile();
    expect(await shadowPod()).toBeUndefined();
  });

  test('is not held when it goes, whatever the cache still shows', async () => {
    const { admin, clock, create, look, reconcile, setPhase, shadowPod } = await startWorld();
    await create();
    await reconcile();
    await setPhase('Running');
    await clock.advance(10_000);
    const behind = look();
    await behind;
    await admin.delete(ShadowPod, key);
    expect(await reconcile(behind, long)).toMatchObject({ type: 'requeueAfter', delayMs: 1_000 });
    expect(await shadowPod()).toBeUndefined();
  });

  test('reports an end at once, in a burst too', async () => {
    const { create, look, reconcile, rush, setPhase, shadowPod } = await startWorld();
    await create({ restartPolicy: 'Never' });
    await reconcile(look(), defaultPhaseDelays);
    rush.note();
    await setPhase('Failed');
    await reconcile(look(), defaultPhaseDelays);
    expect((await shadowPod())?.status?.phase).toBe('Failed');
  });

  test('is tried again, and not said to be refused, when the server fails', async () => {
    const { create, reconcile, refuse, events, shadowPod } = await startWorld();
    await create();
    refuse('create', 'pods', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect(events).toEqual([]);
    expect((await shadowPod())?.status).toBeUndefined();
  });

  test('comes back to a pod that the cache does not show yet', async () => {
    const { create, reconcile, look } = await startWorld();
    await create();
    const behind = look();
    await behind;
    await reconcile();
    expect(await reconcile(behind)).toMatchObject({ type: 'requeueAfter' });
  });

  test('is not refused because the cache does not show its namespace yet', async () => {
    const { create, reconcile, look, cacheOf, events, pod } = await startWorld();
    await create();
    const selection = { labelSelector: 'not=there' };
    const namespaces = await cacheOf(Namespace, { selection });
    await reconcile(look().then((caches) => ({ ...caches, namespaces })));
    expect(events).toEqual([]);
    expect(await pod()).toBeDefined();
  });

  test('holds a pod that ran once until it is written down how it ended', async () => {
    const { admin, create, reconcile, setPhase, refuse, faults, pod, shadowPod } =
      await startWorld();
    await create({ restartPolicy: 'Never' });
    await reconcile();
    await setPhase('Succeeded');
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    refuse('patch', statusOfShadowPods, 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect((await pod()).metadata.finalizers).toEqual([finalizers.shadowPod]);
    faults.plan = () => undefined;
    await reconcile();
    expect((await shadowPod())?.status?.phase).toBe('Succeeded');
    expect(await pod()).toBeUndefined();
  });

  test('that is gone meanwhile lets its pod go', async () => {
    const { admin, create, reconcile, setPhase, look, pod } = await startWorld();
    await create({ restartPolicy: 'Never' });
    await reconcile();
    await setPhase('Succeeded');
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    const behind = look();
    await behind;
    await admin.delete(ShadowPod, key);
    await reconcile(behind);
    expect(await pod()).toBeUndefined();
  });

  test('ends the pod of a predecessor of its name, and then gets its own', async () => {
    const { admin, create, reconcile, pod, shadowPod } = await startWorld();
    await create();
    await reconcile();
    await admin.delete(ShadowPod, key);
    await create();
    await reconcile();
    expect(await pod()).toBeUndefined();
    await reconcile();
    const owners = (await pod()).metadata.ownerReferences?.map(({ uid }) => uid);
    expect(owners).toEqual([(await shadowPod())?.metadata.uid]);
  });

  test('resizes the pod that it has looked at, and no later one of its name', async () => {
    const { admin, create, reconcile, look, pod } = await startWorld();
    await create();
    await reconcile();
    const container = { name: 'web', image: 'nginx', resources: { requests: { cpu: '2' } } };
    const change = mergePatch({ spec: { pod: { containers: [container] } } });
    await admin.patch(ShadowPod, key, change);
    const behind = look();
    await behind;
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    const successor = { name: 'web', image: 'nginx', resources: { requests } };
    await admin.create(Pod, { metadata: key, spec: { containers: [successor] } });
    expect(await rejection(reconcile(behind))).toSatisfy(isConflict);
    expect((await pod()).spec?.containers[0]?.resources?.requests).toEqual(requests);
  });

  async function startResizing() {
    const world = await startWorld();
    const { admin, create, reconcile } = world;
    const container = (cpu: string) => ({
      name: 'proxy',
      image: 'envoy',
      restartPolicy: 'Always',
      resources: { requests: { cpu } },
    });
    await create({ initContainers: [container('1')] });
    await reconcile();
    await reconcile();
    const change = mergePatch({
      metadata: { labels: { tier: 'front' } },
      spec: { pod: { initContainers: [container('2')] } },
    });
    await admin.patch(ShadowPod, key, change);
    return {
      ...world,
      sidecarCpu: async () =>
        (await world.pod()).spec?.initContainers?.[0]?.resources?.requests?.cpu,
    };
  }

  test('resizes a sidecar, and then has nothing more to do', async () => {
    const { faults, reconcile, sidecarCpu } = await startResizing();
    await reconcile();
    expect(await sidecarCpu()).toBe('2');
    await reconcile();
    const before = faults.calls.length;
    expect(await reconcile()).toMatchObject({ type: 'done' });
    expect(faults.calls.slice(before).filter(isWrite)).toEqual([]);
  });

  test('reports a denied resize, makes the labels follow, and recovers by itself', async () => {
    const { events, faults, pod, reconcile, refuse, shadowPod, sidecarCpu } = await startResizing();
    refuse('patch', 'pods/resize', 403);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 30_000 });
    expect((await pod()).metadata.labels).toMatchObject({ tier: 'front' });
    const message = expect.stringContaining('Cannot resize pod "web"');
    expect((await shadowPod())?.status).toEqual({
      phase: 'Pending',
      reason: 'FailedUpdatePod',
      message,
    });
    expect(events).toMatchObject([{ reason: 'FailedUpdatePod', note: message }]);
    faults.plan = () => undefined;
    await reconcile();
    expect(await sidecarCpu()).toBe('2');
    await reconcile();
    await reconcile();
    expect((await shadowPod())?.status).toEqual({ phase: 'Pending' });
  });

  test('adds an ephemeral container to the pod, and none to a pod that is created anew', async () => {
    const { admin, create, reconcile, pod } = await startWorld();
    await create();
    await reconcile();
    const ephemeralContainers = [{ name: 'shell', image: 'busybox' }];
    await admin.patch(ShadowPod, key, mergePatch({ spec: { pod: { ephemeralContainers } } }));
    await reconcile();
    expect((await pod()).spec?.ephemeralContainers).toMatchObject(ephemeralContainers);
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await reconcile();
    await reconcile();
    expect((await pod()).spec).not.toHaveProperty('ephemeralContainers');
  });

  test('reports a denied ephemeral container', async () => {
    const { admin, create, reconcile, refuse, shadowPod } = await startWorld();
    await create();
    await reconcile();
    const ephemeralContainers = [{ name: 'shell', image: 'busybox' }];
    await admin.patch(ShadowPod, key, mergePatch({ spec: { pod: { ephemeralContainers } } }));
    refuse('patch', 'pods/ephemeralcontainers', 403);
    await reconcile();
    expect((await shadowPod())?.status).toMatchObject({
      reason: 'FailedUpdatePod',
      message: expect.stringContaining('Cannot add ephemeral container "shell" to pod "web": '),
    });
  });

  test('reports a denied update of the pod instead of failing for ever', async () => {
    const { admin, create, reconcile, refuse, shadowPod } = await startWorld();
    await create();
    await reconcile();
    await reconcile();
    await admin.patch(ShadowPod, key, mergePatch({ metadata: { labels: { tier: 'front' } } }));
    refuse('update', 'pods', 422);
    await reconcile();
    expect((await shadowPod())?.status).toMatchObject({ reason: 'FailedUpdatePod' });
  });
});
