import { labels } from '@liqo/api';
import { ConfigMap, CoreEvent, Event, formatTime, mergePatch, Pod, type Stored } from '@liqo/kube';
import { type ApiCall, isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const remote = { namespace: 'shop-rome' };
const now = () => formatTime(world.clock.now());

/** Of a component of the provider. */
function say(
  involved: Stored<Pod> | Stored<ConfigMap>,
  change: Partial<CoreEvent> = {},
  name = `${involved.metadata.name}.1`,
): Promise<Stored<CoreEvent>> {
  const { uid, name: about } = involved.metadata;
  return world.away.admin.create(CoreEvent, {
    metadata: { ...remote, name },
    involvedObject: { kind: involved.kind ?? '', name: about, uid, ...remote },
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container',
    source: { component: 'kubelet', host: 'machine' },
    firstTimestamp: now(),
    lastTimestamp: now(),
    count: 1,
    ...change,
  });
}

async function runPod(name = 'web'): Promise<{ local: Stored<Pod>; made: Stored<Pod> }> {
  const local = await world.runPod(name);
  const made = await world.remotePod(name);
  if (!made) throw new Error('There is no pod at the provider');
  return { local, made };
}

async function events(): Promise<readonly Stored<Event>[]> {
  const labelSelector = `${labels.origin}=rome`;
  return (await world.home.admin.list(Event, { namespace: 'shop', labelSelector })).items;
}

function untilReflected(): Promise<Stored<Event>> {
  return world.until(async () => {
    const [event] = await events();
    if (!event) throw new Error('The Event is not reflected');
    return event;
  });
}

const isEventWrite = (call: ApiCall) => isWrite(call) && call.resource === 'events.events.k8s.io';

describe('an Event of the provider', () => {
  test('about a pod is written about the pod of the consumer, as words of the provider', async () => {
    const { local, made } = await runPod();
    await say(made);
    const event = await untilReflected();
    const { uid } = local.metadata;
    expect(event).toMatchObject({
      metadata: {
        name: 'web.1',
        labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
      },
      type: 'Warning',
      reason: 'BackOff',
      note: 'milan: Back-off restarting failed container',
      regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web', uid },
      reportingController: 'liqo.io/virtual-kubelet',
      reportingInstance: 'milan/kubelet',
    });
  });

  test('about a ShadowPod is about the pod', async () => {
    const { local } = await runPod();
    const shadowPod = await world.shadowPod('web');
    const { uid } = shadowPod?.metadata ?? {};
    const involvedObject = { kind: 'ShadowPod', name: 'web', ...remote, ...(uid && { uid }) };
    await say(local, { involvedObject });
    expect((await untilReflected()).regarding).toMatchObject({
      kind: 'Pod',
      uid: local.metadata.uid,
    });
  });

  test('about a copy is about its original', async () => {
    const key = { namespace: 'shop', name: 'settings' };
    const local = await world.home.admin.create(ConfigMap, { metadata: key, data: { a: 'b' } });
    const copy = await world.until(async () => {
      const found = await world.away.admin.get(ConfigMap, { ...key, ...remote });
      if (!found) throw new Error('The ConfigMap is not reflected');
      return found;
    });
    await say({ ...copy, kind: 'ConfigMap' });
    const { regarding } = await untilReflected();
    expect(regarding).toMatchObject({ kind: 'ConfigMap', uid: local.metadata.uid });
  });

  test('is counted up once a minute at most', async () => {
    const { made } = await runPod();
    const event = await say(made);
    await untilReflected();
    const { calls } = world.home.faults;
    calls.length = 0;
    for (let count = 2; count <= 20; count++) {
      const patch = mergePatch({ count, lastTimestamp: now() });
      await world.away.admin.patch(CoreEvent, { ...remote, name: event.metadata.name }, patch);
      await world.pass(1_000);
    }
    await world.until(async () => expect((await events())[0]?.series?.count).toBe(20));
    expect(calls.filter(isEventWrite)).toHaveLength(1);
  });

  test('is truncated and cannot control a terminal', async () => {
    const { made } = await runPod();
    await say(made, { message: `\u001b[2J${'x'.repeat(5_000)}` });
    const { note = '' } = await untilReflected();
    expect(note).toMatch(/^milan: \[2Jx+/);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
  });
});

describe('an Event of the provider is not reflected', () => {
  async function expectNone(): Promise<void> {
    await world.pass(5_000);
    expect(await events()).toEqual([]);
  }

  test('about a pod that was not made for the consumer', async () => {
    const metadata = { ...remote, name: 'web' };
    const spec = { containers: [{ name: 'main', image: 'i' }], nodeName: 'machine' };
    const foreign = await world.away.admin.create(Pod, { metadata, spec });
    await world.home.admin.create(Pod, { metadata: { namespace: 'shop', name: 'web' }, spec });
    await say(foreign);
    await expectNone();
  });

  test('about an earlier pod of the name', async () => {
    const { made } = await runPod();
    await say({ ...made, metadata: { ...made.metadata, uid: 'earlier' } });
    await expectNone();
  });

  test('about an object that is not of the consumer', async () => {
    const metadata = { ...remote, name: 'own' };
    const own = await world.away.admin.create(ConfigMap, { metadata });
    await say({ ...own, kind: 'ConfigMap' });
    await expectNone();
  });

  test('of an hour ago', async () => {
    const { made } = await runPod();
    const time = formatTime(world.clock.now() - 3_601_000);
    await say(made, { firstTimestamp: time, lastTimestamp: time });
    await expectNone();
  });

  test('with the annotation that says so', async () => {
    const { made } = await runPod();
    const annotations = { 'liqo.io/skip-reflection': 'true' };
    await say(made, { metadata: { ...remote, name: 'web.1', annotations } });
    await expectNone();
  });
});

test('a pod with thousands of Events at the provider gets some of them', async () => {
  const { made } = await runPod();
  for (let nth = 0; nth < 100; nth++) await say(made, { message: `attempt ${nth}` }, `web.${nth}`);
  await world.pass(10_000);
  expect(await events()).toHaveLength(25);
});

test('Events are not written again after a restart', async () => {
  const { made } = await runPod();
  await say(made);
  await untilReflected();
  await world.stop(world.kubelet);
  const { calls } = world.home.faults;
  calls.length = 0;
  const { calls: away } = world.away.faults;
  away.length = 0;
  await world.startWorkingKubelet();
  const isWatch = ({ verb, resource }: ApiCall) => verb === 'watch' && resource === 'events';
  await world.until(() => expect(away.filter(isWatch)).toHaveLength(1));
  await world.pass(5_000);
  expect(calls.filter(isEventWrite)).toEqual([]);
});

test('an Event of the consumer keeps its name and its text', async () => {
  const { made } = await runPod();
  const metadata = { namespace: 'shop', name: 'web.1' };
  const involvedObject = { kind: 'Pod', name: 'other', namespace: 'shop' };
  await world.home.admin.create(CoreEvent, { metadata, involvedObject, message: 'own' });
  await say(made);
  await say(made, {}, 'web.2');
  expect((await untilReflected()).metadata.name).toBe('web.2');
  const kept = await world.home.admin.get(CoreEvent, metadata);
  expect(kept).toMatchObject({ message: 'own' });
});
