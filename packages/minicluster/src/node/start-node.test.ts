import { type Client, ConfigMap, Lease, mergePatch, Node, Pod, Secret } from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProgramContext } from './containers/image-registry.ts';
import { type NodeAgent, startNode } from './start-node.ts';
import { startBareServer } from './testing/start-bare-server.ts';

type PodSpec = NonNullable<Pod['spec']>;
const prefix = 'minicluster.liqo-ts.dev/';

describe('startNode()', () => {
  let clock: VirtualClock;
  let client: Client;
  let node: NodeAgent;
  const programs: ProgramContext[] = [];
  const remember = async (context: ProgramContext) => programs.push(context) - 1;

  beforeEach(async () => {
    clock = new VirtualClock();
    const random = seededRandom(1);
    client = await startBareServer(clock, random);
    programs.length = 0;
    const images = new Map([['example.org/real', remember]]);
    const environment = { KUBERNETES_SERVICE_HOST: '10.96.0.1' };
    node = await startNode({ client, clock, random, name: 'worker', images, environment });
  });
  afterEach(async () => {
    await node[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
  });

  async function run(
    name: string,
    annotations: Record<string, string> = {},
    spec: Partial<PodSpec> = {},
  ) {
    const prefixed = Object.entries(annotations).map(([key, value]) => [prefix + key, value]);
    await client.create(Pod, {
      metadata: { namespace: 'default', name, annotations: Object.fromEntries(prefixed) },
      spec: {
        nodeName: 'worker',
        containers: [{ name: 'main', image: 'example.org/app' }],
        ...spec,
      },
    });
    await clock.advance(0);
  }
  async function pass(seconds: number) {
    await clock.advance(seconds * 1000);
    await clock.settle();
  }
  const get = (name: string) => client.get(Pod, { namespace: 'default', name });
  const main = async (name: string) => (await get(name))?.status?.containerStatuses?.[0];
  const conditions = async (name: string) => {
    const { status } = (await get(name)) ?? {};
    return Object.fromEntries(status?.conditions?.map((one) => [one.type, one.status]) ?? []);
  };

  test('registers a node as a kubelet does and renews its lease every ten seconds', async () => {
    const registered = await client.get(Node, { name: 'worker' });
    expect(registered?.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'worker',
      'kubernetes.io/os': 'linux',
    });
    expect(registered?.status?.nodeInfo?.kubeletVersion).toBe('v1.35.4');
    expect(registered?.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'MemoryPressure False',
      'DiskPressure False',
      'PIDPressure False',
      'Ready True',
    ]);
    const key = { namespace: 'kube-node-lease', name: 'worker' };
    const before = await client.get(Lease, key);
    expect(before?.spec).toMatchObject({ holderIdentity: 'worker', leaseDurationSeconds: 40 });
    await pass(10);
    const after = await client.get(Lease, key);
    expect(after?.spec?.renewTime).toBe('2030-01-01T00:00:10.000000Z');
  });

  test('runs a pod and tells everything a kubelet tells', async () => {
    await run('web');
    const { status } = (await get('web')) ?? {};
    expect(status).toMatchObject({
      phase: 'Running',
      hostIP: '127.0.0.1',
      podIP: '10.244.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
      startTime: '2030-01-01T00:00:00Z',
      qosClass: 'BestEffort',
      observedGeneration: 1,
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: '2030-01-01T00:00:00Z' } },
          containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
        },
      ],
    });
    expect(await conditions('web')).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
  });

  test('starts a container late and ready even later when annotations say so', async () => {
    await run('slow', { 'start-delay': '5s', 'ready-after': '3s' });
    expect((await main('slow'))?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await pass(5);
    expect(await main('slow')).toMatchObject({ ready: false, started: true });
    expect(await conditions('slow')).toMatchObject({ Ready: 'False', Initialized: 'True' });
    await pass(3);
    expect(await main('slow')).toMatchObject({ ready: true });
  });

  test('follows the ready annotation while the pod runs', async () => {
    await run('web');
    const unready = { metadata: { annotations: { [`${prefix}ready`]: 'false' } } };
    await client.patch(Pod, { namespace: 'default', name: 'web' }, mergePatch(unready));
    await pass(0);
    expect(await conditions('web')).toMatchObject({ Ready: 'False' });
  });

  test('restarts a crashing container at once, then after 10 s, 20 s, 40 s', async () => {
    await run('crash', { crash: 'always' });
    const first = await main('crash');
    expect(first).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(first?.state?.waiting?.message).toMatch(
      /^back-off 10s restarting failed container=main pod=crash_default\(.+\)$/,
    );
    expect((await get('crash'))?.status?.phase).toBe('Running');
    const counts: (number | undefined)[] = [];
    for (const seconds of [9, 1, 19, 1, 39, 1]) {
      await pass(seconds);
      counts.push((await main('crash'))?.restartCount);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 4]);
  });

  test.each([
    ['Never', '0', 'Succeeded', 0],
    ['Never', '3', 'Failed', 0],
    ['OnFailure', '0', 'Succeeded', 0],
    ['OnFailure', '3', 'Running', 1],
    ['Always', '0', 'Running', 1],
  ])('with restart policy %s and exit code %s makes the pod %s', async (...row) => {
    const [restartPolicy, exitCode, phase, restartCount] = row;
    await run('job', { 'run-for': '5s', 'exit-code': exitCode }, { restartPolicy });
    await pass(6);
    expect((await get('job'))?.status?.phase).toBe(phase);
    expect((await main('job'))?.restartCount).toBe(restartCount);
  });

  test('runs init containers in order, sidecars beside the rest, and ends sidecars last', async () => {
    const container = (name: string) => ({ name, image: 'example.org/app' });
    const annotations = { 'run-for.first': '2s', 'run-for.second': '2s', 'run-for.main': '2s' };
    await run('staged', annotations, {
      restartPolicy: 'Never',
      initContainers: [
        container('first'),
        { ...container('proxy'), restartPolicy: 'Always' },
        container('second'),
      ],
    });
    const states = async () => {
      const { initContainerStatuses = [], containerStatuses = [] } =
        (await get('staged'))?.status ?? {};
      const all = [...initContainerStatuses, ...containerStatuses];
      return all.map(({ state }) => Object.keys(state ?? {})[0]);
    };
    expect(await states()).toEqual(['running', 'waiting', 'waiting', 'waiting']);
    expect((await get('staged'))?.status?.phase).toBe('Pending');
    await pass(2);
    expect(await states()).toEqual(['terminated', 'running', 'running', 'waiting']);
    await pass(2);
    expect(await states()).toEqual(['terminated', 'running', 'terminated', 'running']);
    expect((await get('staged'))?.status?.phase).toBe('Running');
    await pass(2);
    expect(await states()).toEqual(['terminated', 'terminated', 'terminated', 'terminated']);
    expect((await get('staged'))?.status?.phase).toBe('Succeeded');
  });

  test('fails a pod whose init container fails for good', async () => {
    const initContainers = [{ name: 'first', image: 'example.org/app' }];
    await run('failed', { 'exit-code.first': '2' }, { restartPolicy: 'Never', initContainers });
    expect((await get('failed'))?.status?.phase).toBe('Failed');
    expect((await main('failed'))?.state).toEqual({ waiting: { reason: 'PodInitializing' } });
  });

  test('lets a deleted pod stop within its grace period, then removes it', async () => {
    await run('web', { 'stop-after': '8s' });
    await client.delete(Pod, { namespace: 'default', name: 'web' });
    await pass(7);
    expect((await main('web'))?.state).toHaveProperty('running');
    await pass(1);
    expect(await get('web')).toBeUndefined();
  });

  test('kills what does not stop within the grace period', async () => {
    await run('stubborn', { 'stop-after': '1h' }, { terminationGracePeriodSeconds: 5 });
    await client.patch(
      Pod,
      { namespace: 'default', name: 'stubborn' },
      mergePatch({ metadata: { finalizers: ['example.org/keep'] } }),
    );
    await client.delete(Pod, { namespace: 'default', name: 'stubborn' });
    await pass(5);
    expect((await main('stubborn'))?.state?.terminated).toMatchObject({ exitCode: 137 });
    expect((await get('stubborn'))?.status?.phase).toBe('Failed');
  });

  test('fails a pod that outlives its deadline', async () => {
    await run('late', {}, { activeDeadlineSeconds: 60 });
    await pass(60);
    expect((await get('late'))?.status).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
  });

  test('waits with ErrImagePull and ImagePullBackOff while the image cannot be pulled', async () => {
    await run('web', { 'image-pull': 'fail' });
    expect((await main('web'))?.state?.waiting?.reason).toBe('ErrImagePull');
    await pass(1);
    expect((await main('web'))?.state?.waiting).toMatchObject({
      reason: 'ImagePullBackOff',
      message: expect.stringMatching(/^Back-off pulling image "example.org\/app": ErrImagePull: /),
    });
    const pulled = { metadata: { annotations: { [`${prefix}image-pull`]: 'ok' } } };
    await client.patch(Pod, { namespace: 'default', name: 'web' }, mergePatch(pulled));
    await pass(9);
    expect((await main('web'))?.state).toHaveProperty('running');
  });

  test('waits for a volume until its config map is there', async () => {
    const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
    await run('web', {}, { volumes });
    expect((await main('web'))?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'settings' } });
    await pass(1);
    expect((await get('web'))?.status?.phase).toBe('Running');
  });

  test('waits with CreateContainerConfigError for a variable whose source is missing', async () => {
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }];
    const containers = [{ name: 'main', image: 'example.org/app', env }];
    await run('web', {}, { containers });
    expect((await main('web'))?.state).toEqual({
      waiting: { reason: 'CreateContainerConfigError', message: 'configmap "settings" not found' },
    });
    const metadata = { namespace: 'default', name: 'settings' };
    await client.create(ConfigMap, { metadata, data: { a: '1' } });
    await pass(10);
    expect((await get('web'))?.status?.phase).toBe('Running');
  });

  test('gives a registered image its arguments, variables and files', async () => {
    const metadata = { namespace: 'default', name: 'settings' };
    await client.create(ConfigMap, { metadata, data: { a: '1', b: '2' } });
    await client.create(Secret, { metadata, stringData: { password: 'hidden' } });
    const configMapKeyRef = { name: 'settings', key: 'a' };
    const env = [
      { name: 'A', valueFrom: { configMapKeyRef } },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'BOTH', value: '$(A)-$(POD)-$(UNKNOWN)' },
    ];
    const main = {
      name: 'main',
      image: 'example.org/real',
      command: ['/bin/entry', 'serve'],
      args: ['--pod=$(POD)'],
      env,
      envFrom: [{ prefix: 'S_', secretRef: { name: 'settings' } }],
      volumeMounts: [
        { name: 'config', mountPath: '/etc/config' },
        { name: 'config', mountPath: '/etc/only-b', subPath: 'b' },
      ],
    };
    const volumes = [{ name: 'config', configMap: { name: 'settings' } }];
    await run('web', {}, { restartPolicy: 'Never', containers: [main], volumes });
    await pass(0);
    expect(programs).toHaveLength(1);
    expect(programs[0]?.args).toEqual(['serve', '--pod=web']);
    expect(programs[0]?.env).toEqual({
      HOSTNAME: 'web',
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      S_password: 'hidden',
      A: '1',
      POD: 'web',
      ADDRESS: '10.244.0.2',
      BOTH: '1-web-$(UNKNOWN)',
    });
    expect(Object.fromEntries(programs[0]?.files ?? [])).toEqual({
      '/etc/config/a': '1',
      '/etc/config/b': '2',
      '/etc/only-b': '2',
    });
    expect((await get('web'))?.status?.phase).toBe('Succeeded');
  });

  test('holds a pod unready until its readiness gates are met', async () => {
    await run('web', {}, { readinessGates: [{ conditionType: 'example.org/open' }] });
    const ready = async () => {
      const { status } = (await get('web')) ?? {};
      return status?.conditions?.find(({ type }) => type === 'Ready');
    };
    expect(await ready()).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "example.org/open" does not exist.',
    });
    const found = await get('web');
    if (!found) throw new Error('Expected the pod to be there');
    const open = { type: 'example.org/open', status: 'True' };
    const conditions = [...(found.status?.conditions ?? []), open];
    await client.updateStatus(Pod, { ...found, status: { ...found.status, conditions } });
    await pass(0);
    expect(await ready()).toMatchObject({ status: 'True' });
    expect(await ready()).not.toHaveProperty('reason');
  });

  test('says in plain words what is wrong with an annotation', async () => {
    await run('web', { 'run-for': 'long' });
    expect((await main('web'))?.state?.waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining(`Cannot use annotation "${prefix}run-for"`),
    });
  });

  test('leaves no timer behind when it is disposed of', async () => {
    await run('web', { 'log-every': '1s', log: 'tick' });
    await node[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
    await eventually(() => expect(clock.pendingTimers).toBe(0));
  });
});
