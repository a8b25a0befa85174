import { Event, Pod } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { faultOn, linkFaults, refusal } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { type EventRecorderOptions, startEventRecorder } from './event-recorder.ts';
import type { RecordedEvent } from './forge-event.ts';

/** The server's own: it forgets events after an hour. */
const expiryTimers = 1;

const spec = { containers: [{ name: 'main', image: 'example.org/web' }] };

async function startWorld(options: Partial<EventRecorderOptions> = {}) {
  const cluster = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const { clock, random, faults, admin } = cluster;
  const client = cluster.clientOf('recorder');
  const pod = await admin.create(Pod, { metadata: { namespace: 'shop', name: 'web' }, spec });
  const reporter = { controller: 'liqo.io/test', instance: 'test-1' };
  const log = silentLogger;
  const recorder = startEventRecorder({ client, clock, random, log, reporter, ...options });
  const happen = (more: Partial<RecordedEvent> = {}) =>
    recorder.record({
      regarding: pod,
      type: 'Normal',
      reason: 'Offloaded',
      action: 'Offloading',
      note: 'Runs on "eu-1"',
      ...more,
    });
  const events = async () => (await admin.list(Event)).items;
  const writes = () => faults.calls.length;
  return { clock, faults, admin, pod, recorder, happen, events, writes };
}

test('startEventRecorder() writes an event in the background', async () => {
  const { clock, happen, events } = await startWorld();
  happen();
  expect(await events()).toEqual([]);
  await clock.settle();
  expect(await events()).toMatchObject([
    {
      apiVersion: 'events.k8s.io/v1',
      metadata: { namespace: 'shop', name: expect.stringMatching(/^web\.[0-9a-f]+$/) },
      reason: 'Offloaded',
      note: 'Runs on "eu-1"',
      reportingController: 'liqo.io/test',
    },
  ]);
  expect((await events())[0]?.series).toBeUndefined();
});

test('startEventRecorder() counts what happens again, with few writes', async () => {
  const { clock, happen, events, writes } = await startWorld();
  for (let times = 0; times < 100; times++) {
    happen();
    await clock.advance(100);
  }
  await clock.advance(10_000);
  expect(await events()).toHaveLength(1);
  expect((await events())[0]?.series).toEqual({
    count: 100,
    lastObservedTime: '2030-01-01T00:00:09.900000Z',
  });
  expect(writes()).toBeLessThanOrEqual(3);
});

test('startEventRecorder() counts what goes on and on less and less often', async () => {
  const { clock, happen, events, writes } = await startWorld();
  const secondsOfWrites: number[] = [];
  for (let seconds = 0; seconds < 1_800; seconds += 5) {
    const before = writes();
    happen();
    await clock.advance(5_000);
    if (writes() > before) secondsOfWrites.push(seconds);
  }
  const pauses = secondsOfWrites.slice(1).map((at, i) => at - (secondsOfWrites[i] ?? 0));
  expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300]);
  expect((await events())[0]?.series?.count).toBeGreaterThan(300);
});

test.each([{ reason: 'Lost' }, { type: 'Warning' as const }, { note: 'Runs on "eu-2"' }])(
  'startEventRecorder() begins another event for %o',
  async (difference) => {
    const { clock, happen, events } = await startWorld();
    happen();
    happen(difference);
    await clock.settle();
    expect(await events()).toHaveLength(2);
  },
);

test('startEventRecorder() begins another event when the last one is long ago', async () => {
  const { clock, happen, events } = await startWorld({ windowMs: 60_000 });
  happen();
  await clock.advance(60_000);
  happen();
  await clock.advance(60_001);
  happen();
  await clock.advance(20_000);
  expect((await events()).map((event) => event.series?.count)).toEqual([2, undefined]);
});

test('startEventRecorder() does not let one object flood the server, nor silence another', async () => {
  const { clock, admin, happen, events } = await startWorld();
  const other = await admin.create(Pod, { metadata: { namespace: 'shop', name: 'db' }, spec });
  for (let number = 0; number < 1_000; number++) happen({ note: `Attempt ${number}` });
  happen({ regarding: other });
  await clock.advance(1_000);
  expect(await events()).toHaveLength(26);
  expect((await events()).some((event) => event.regarding?.name === 'db')).toBe(true);
  await clock.advance(300_000);
  happen({ note: 'Later' });
  await clock.settle();
  expect(await events()).toHaveLength(27);
});

test('startEventRecorder() begins another event when it happens again after the server has forgotten', async () => {
  const { clock, faults, admin, happen, events } = await startWorld();
  happen();
  await clock.settle();
  const [event] = await events();
  await admin.delete(Event, { namespace: 'shop', name: event?.metadata.name ?? '' });
  faults.calls.length = 0;
  happen();
  await clock.advance(60_000);
  expect(faults.calls.map(({ verb }) => verb)).toEqual(['patch']);
  happen();
  await clock.settle();
  expect(await events()).toHaveLength(1);
});

test('startEventRecorder() makes no event again that the server just does not change', async () => {
  const { clock, faults, happen, events } = await startWorld();
  happen();
  await clock.settle();
  faults.calls.length = 0;
  faults.plan = faultOn(({ verb }) => verb === 'patch', refusal(500));
  happen();
  await clock.advance(20_000);
  expect(new Set(faults.calls.map(({ verb }) => verb))).toEqual(new Set(['patch']));
  faults.plan = linkFaults.none;
  await clock.advance(60_000);
  expect(await events()).toMatchObject([{ series: { count: 2 } }]);
});

test.each(['failing', 'lostRequest', 'lostAnswer', 'garbledAnswer'] as const)(
  'startEventRecorder() writes one event, a little later, when the server is "%s"',
  async (fault) => {
    const { clock, faults, happen, events } = await startWorld();
    faults.plan = linkFaults[fault];
    happen();
    await clock.advance(5_000);
    faults.plan = linkFaults.none;
    await clock.advance(60_000);
    expect(await events()).toHaveLength(1);
    expect(clock.pendingTimers).toBe(expiryTimers);
  },
);

test('startEventRecorder() gives up on what cannot be written, and goes on with the rest', async () => {
  const { clock, faults, happen, events } = await startWorld();
  faults.plan = linkFaults.failing;
  happen();
  await clock.advance(600_000);
  expect(clock.pendingTimers).toBe(0);
  faults.plan = linkFaults.none;
  happen({ note: 'Another' });
  await clock.advance(60_000);
  expect((await events()).map(({ note }) => note)).toEqual(['Another']);
});

test('dispose() writes what is not yet written', async () => {
  const { clock, recorder, happen, events } = await startWorld();
  happen();
  await clock.settle();
  for (let times = 0; times < 4; times++) happen();
  await recorder[Symbol.asyncDispose]();
  expect((await events())[0]?.series?.count).toBe(5);
  happen({ note: 'Too late' });
  await clock.advance(60_000);
  expect(await events()).toHaveLength(1);
  expect(clock.pendingTimers).toBe(expiryTimers);
});

test('dispose() does not wait for a server that does not answer', async () => {
  const { clock, recorder, faults, happen } = await startWorld({ flushMs: 5_000 });
  faults.plan = linkFaults.lostRequest;
  happen();
  const stopped = recorder[Symbol.asyncDispose]();
  await clock.advance(5_000);
  await stopped;
  await clock.settle();
  expect(clock.pendingTimers).toBe(0);
});

test('record() never throws', async () => {
  const { recorder } = await startWorld();
  const nonsense: object = {};
  expect(() => recorder.record(nonsense as RecordedEvent)).not.toThrow();
});
