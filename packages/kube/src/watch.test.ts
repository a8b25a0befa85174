import { getEventListeners } from 'node:events';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { describe, expect, test } from 'vitest';
import { isExpired } from './api-error.ts';
import type { CallSignal } from './call-signal.ts';
import { Client } from './client.ts';
import { sleep } from './clock.ts';
import { type InProcessAnswer, InProcessTransport } from './in-process-transport.ts';
import { ConfigMap } from './kinds/core.ts';
import { TransportError, type TransportRequest } from './transport.ts';
import { MalformedWatchError, type WatchEvent, type WatchOptions } from './watch.ts';

const metadata = (version: string, name = 'a') => ({ name, resourceVersion: version });
const added = (version: string, name?: string) =>
  JSON.stringify({ type: 'ADDED', object: { metadata: metadata(version, name) } });
const bookmark = (version: string, annotations?: object) =>
  JSON.stringify({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: version, annotations } },
  });
const initialEnd = { 'k8s.io/initial-events-end': 'true' };
const failed = (code: number) =>
  JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, message: 'no' } });

/** One connection: what it sends, after how long, and how it ends. */
interface Connection {
  readonly lines?: readonly string[];
  readonly raw?: Uint8Array;
  readonly after?: number;
  readonly ends?: 'cleanly' | 'never' | Error;
}
type Step = Connection | InProcessAnswer | Error | 'silence';

/** A server of which every connection is scripted; the last one is repeated. */
function start(...script: readonly Step[]) {
  const clock = new VirtualClock();
  const opened: {
    readonly version: string | null;
    readonly atMs: number;
    request: TransportRequest;
  }[] = [];
  const signals: CallSignal[] = [];
  const transport = new InProcessTransport(async (request, signal) => {
    const step = script[Math.min(opened.length, script.length - 1)] ?? 'silence';
    const version = query(request).get('resourceVersion');
    opened.push({ version, atMs: clock.monotonicMs(), request });
    signals.push(signal);
    if (step instanceof Error) throw step;
    if (step === 'silence') return new Promise(() => undefined);
    return 'status' in step ? step : { status: 200, body: play(step, clock, signal) };
  });
  const client = new Client({ transport, clock, random: seededRandom(7) });
  return { clock, opened, signals, client };
}

async function* play(
  { lines = [], raw, after = 0, ends = 'cleanly' }: Connection,
  clock: VirtualClock,
  signal: CallSignal,
) {
  if (after > 0) await sleep(clock, after, signal);
  if (lines.length > 0) yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
  if (raw) yield raw;
  if (ends === 'never') await new Promise(() => undefined);
  if (ends instanceof Error) throw ends;
}

function query({ path }: TransportRequest): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

const lost = new TransportError('the line is dead', { sent: true });
const from: WatchOptions = { resourceVersion: '1' };

/** Watches for so long, and tells what was seen and how it ended. */
async function watched(
  world: ReturnType<typeof start>,
  options: WatchOptions & { forMs?: number } = from,
) {
  const { forMs = 1_000, ...watchOptions } = options;
  const controller = new AbortController();
  const seen: WatchEvent<ConfigMap>[] = [];
  const run = async () => {
    for await (const event of world.client.watch(ConfigMap, watchOptions, controller.signal)) {
      seen.push(event);
    }
  };
  const ended = run().then(
    () => undefined,
    (error: unknown) => error,
  );
  await world.clock.advance(forMs);
  controller.abort();
  const error = await ended;
  await world.clock.settle();
  expect(world.clock.pendingTimers).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  return { error, seen, versions: seen.map(versionOf) };
}

function versionOf(event: WatchEvent<ConfigMap>): string {
  return event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
}

describe('watch() asks', () => {
  test('for the changes after a version, with bookmarks, for some minutes', async () => {
    const world = start('silence');
    const labelSelector = 'a=b';
    await watched(world, { ...from, namespace: 'shop', labelSelector, fieldSelector: 'c=d' });
    const request = world.opened[0]?.request;
    expect(request?.path).toMatch(/^\/api\/v1\/namespaces\/shop\/configmaps\?/);
    const { timeoutSeconds, ...rest } = Object.fromEntries(
      query(request ?? { path: '', method: '' }),
    );
    expect(rest).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '1',
      labelSelector: 'a=b',
      fieldSelector: 'c=d',
    });
    expect(Number(timeoutSeconds)).toBeGreaterThanOrEqual(300);
    expect(Number(timeoutSeconds)).toBeLessThanOrEqual(600);
  });

  test('for what exists, until it was told that this was all', async () => {
    const world = start(
      { lines: [added('5'), bookmark('9', initialEnd)] },
      { lines: [added('11')] },
      'silence',
    );
    const { seen } = await watched(world, { resourceVersion: '', sendInitialEvents: true });
    expect(seen).toMatchObject([
      { type: 'ADDED' },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
      { type: 'ADDED' },
    ]);
    const asked = world.opened.map(({ request }) => query(request));
    expect(asked.map((one) => one.get('resourceVersion'))).toEqual(['', '9', '11']);
    expect(asked.map((one) => one.get('sendInitialEvents'))).toEqual(['true', null, null]);
    expect(asked[0]?.get('resourceVersionMatch')).toBe('NotOlderThan');
  });
});

describe('watch() goes on', () => {
  test('at once, from the last version seen, when a connection that delivered something ends', async () => {
    const world = start(
      { lines: [added('2'), added('3')] },
      { lines: [added('4')], ends: lost },
      { lines: [bookmark('8')] },
      'silence',
    );
    const { versions, error } = await watched(world, { ...from, forMs: 0 });
    expect(versions).toEqual(['2', '3', '4', '8']);
    expect(world.opened.map(({ version }) => version)).toEqual(['1', '3', '4', '8']);
    expect(error).toBeUndefined();
  });

  test('after a growing wait when connections end without anything new', async () => {
    const world = start({ ends: 'cleanly' });
    await watched(world, { ...from, forMs: 600_000 });
    const waits = world.opened.slice(1).map(({ atMs }, n) => atMs - (world.opened[n]?.atMs ?? 0));
    expect(waits[0]).toBeLessThan(200);
    expect(Math.max(...waits)).toBeLessThanOrEqual(4_000);
    expect(world.opened.length).toBeLessThan(300);
  });

  test.each([
    ['repeats the same bookmark', [bookmark('1')]],
    ['replays what was seen', [added('0'), added('1')]],
  ])('after a growing wait when a server %s again and again', async (_, lines) => {
    const world = start({ lines });
    await watched(world, { ...from, forMs: 600_000 });
    expect(world.opened.length).toBeLessThan(300);
  });

  test('at once after a quiet connection that lived its time', async () => {
    const world = start({ after: 300_000 });
    await watched(world, { ...from, silenceMs: 400_000, forMs: 20 * 300_000 });
    expect(world.opened.map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 21 }, (_, n) => n * 300_000).slice(0, world.opened.length),
    );
    expect(world.opened.length).toBeGreaterThanOrEqual(20);
  });

  test.each([
    ['429', { status: 429, headers: { 'retry-after': '20' } }],
    ['503', { status: 503, headers: { 'retry-after': 'Tue, 01 Jan 2030 00:00:20 GMT' } }],
  ])('when the server said with its %s, not sooner', async (_, refusal) => {
    const world = start(refusal, { lines: [added('2')], ends: 'never' });
    const { versions } = await watched(world, { ...from, forMs: 30_000 });
    expect(versions).toEqual(['2']);
    const waitedMs = world.opened[1]?.atMs ?? 0;
    expect(waitedMs).toBeGreaterThanOrEqual(20_000);
    expect(waitedMs).toBeLessThan(20_500);
  });

  test('after refusals that heal and connections that cannot be had', async () => {
    const unsent = new TransportError('no route', { sent: false });
    const world = start(
      { status: 500 },
      unsent,
      { status: 504 },
      { lines: [added('2')], ends: 'never' },
    );
    const { versions, error } = await watched(world, { ...from, forMs: 10_000 });
    expect([versions, error]).toEqual([['2'], undefined]);
  });

  test('from the last whole event when a line was cut off', async () => {
    const whole = added('3', 'grüße');
    const bytes = Buffer.from(whole);
    for (let cut = 1; cut < bytes.length; cut += 7) {
      const world = start(
        { lines: [added('2')], raw: bytes.subarray(0, cut) },
        { lines: [whole], ends: 'never' },
      );
      const { versions, error } = await watched(world, { ...from, forMs: 0 });
      expect([versions, error]).toEqual([['2', '3'], undefined]);
      expect(world.opened.map(({ version }) => version)).toEqual(['1', '2']);
    }
  });

  test('past empty lines', async () => {
    const world = start({ lines: ['', added('2'), '', added('3')], ends: 'never' });
    expect((await watched(world)).versions).toEqual(['2', '3']);
  });
});

describe('watch() throws', () => {
  test.each<[string, Step]>([
    ['the status', { status: 410, body: failed(410) }],
    ['an event', { lines: [added('2'), failed(410)] }],
  ])('a 410 that comes as %s', async (_, step) => {
    const { error } = await watched(start(step));
    expect(isExpired(error)).toBe(true);
  });

  test.each([500, 503, 429])(
    'any other error in the stream (%i): events may be lost',
    async (code) => {
      const world = start({ lines: [added('2'), failed(code)] });
      const { error, versions } = await watched(world);
      expect(error).toMatchObject({ name: 'ApiError', code });
      expect(versions).toEqual(['2']);
      expect(world.opened).toHaveLength(1);
    },
  );

  test.each([400, 401, 403, 404, 405])('a refusal that time does not heal (%i)', async (code) => {
    const world = start({ status: code, body: 'no' });
    expect((await watched(world)).error).toMatchObject({ name: 'ApiError', code });
    expect(world.opened).toHaveLength(1);
  });

  test.each([
    ['is not JSON', '{"type":"ADDED","object":{"metadata":{'],
    ['is not an object', '"ADDED"'],
    ['is null', 'null'],
    ['has no type', '{"object":{"metadata":{"resourceVersion":"3"}}}'],
    ['has a type nobody knows', '{"type":"CHANGED","object":{"metadata":{"resourceVersion":"3"}}}'],
    ['has no object', '{"type":"ADDED"}'],
    ['has null for an object', '{"type":"ADDED","object":null}'],
    ['has a list for an object', '{"type":"ADDED","object":[]}'],
    ['has no metadata', '{"type":"ADDED","object":{}}'],
    ['has null for metadata', '{"type":"ADDED","object":{"metadata":null}}'],
    ['has no version', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}'],
    ['has an empty version', '{"type":"MODIFIED","object":{"metadata":{"resourceVersion":""}}}'],
    [
      'has a number for a version',
      '{"type":"DELETED","object":{"metadata":{"resourceVersion":3}}}',
    ],
    ['has a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{}}}'],
  ])('when a line %s, after what came before it', async (_, line) => {
    const world = start({ lines: [added('2'), line, added('4')] });
    const { error, versions } = await watched(world);
    expect(error).toBeInstanceOf(MalformedWatchError);
    expect(versions).toEqual(['2']);
    expect(world.opened).toHaveLength(1);
  });

  test('when the bytes are not UTF-8', async () => {
    const world = start({ raw: Buffer.from([0x7b, 0xff, 0x0a]) });
    expect((await watched(world)).error).toBeInstanceOf(MalformedWatchError);
  });

  test.each<[string, Step]>([
    ['ends', { lines: [added('5')] }],
    ['breaks', { lines: [added('5')], ends: lost }],
    ['ends, after an ordinary bookmark', { lines: [added('5'), bookmark('6')] }],
  ])('when the connection %s before the initial events were complete', async (_, step) => {
    const world = start(step);
    const { error } = await watched(world, { resourceVersion: '', sendInitialEvents: true });
    expect(error).toBeInstanceOf(TransportError);
    expect(world.opened).toHaveLength(1);
  });
});

describe('watch() takes a connection for dead', () => {
  test('on which nothing came for 150 seconds, headers included', async () => {
    const world = start('silence', { lines: [added('2')], ends: 'never' }, 'silence');
    const { versions } = await watched(world, { ...from, forMs: 301_000 });
    expect(versions).toEqual(['2']);
    const [first = 0, second = 0, third = 0] = world.opened.map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(150_000);
    expect(second - first).toBeLessThan(151_000);
    expect(third - second).toBe(150_000);
    expect(world.signals[0]?.aborted).toBe(true);
  });

  test('not while bookmarks come', async () => {
    const clock = new VirtualClock();
    let connections = 0;
    async function* body() {
      for (let minute = 1; ; minute++) {
        await new Promise<void>((resolve) => void clock.after(60_000, resolve));
        yield Buffer.from(`${bookmark(String(minute + 1))}\n`);
      }
    }
    const transport = new InProcessTransport(async () => {
      connections += 1;
      return { status: 200, body: body() };
    });
    const client = new Client({ transport, clock, random: seededRandom(1) });
    const controller = new AbortController();
    const watch = client.watch(ConfigMap, from, controller.signal);
    const run = (async () => {
      for await (const event of watch) expect(event.type).toBe('BOOKMARK');
    })();
    await clock.advance(3_600_000);
    expect(connections).toBe(1);
    controller.abort();
    await run;
  });
});

describe('watch() ends', () => {
  test.each<[string, Step]>([
    ['while it connects', 'silence'],
    ['while it listens', { lines: [added('2')], ends: 'never' }],
    ['while it waits', lost],
  ])('quietly when its signal aborts %s', async (_, step) => {
    const world = start(step);
    const { error } = await watched(world, { ...from, forMs: 20 });
    expect(error).toBeUndefined();
    expect(world.opened).toHaveLength(1);
  });

  test('its connection when the reader has enough', async () => {
    const world = start({ lines: [added('2'), added('3')], ends: 'never' });
    for await (const event of world.client.watch(ConfigMap, from)) {
      expect(event.type).toBe('ADDED');
      break;
    }
    expect(world.signals[0]?.aborted).toBe(true);
    expect(world.clock.pendingTimers).toBe(0);
  });

  test('with an error when its transport is closed', async () => {
    const world = start({ lines: [added('2')], ends: 'never' });
    const watch = world.client.watch(ConfigMap, from);
    await watch.next();
    const next = rejection(watch.next());
    await world.client[Symbol.asyncDispose]();
    expect(await next).toMatchObject({ name: 'TransportClosedError' });
  });
});
