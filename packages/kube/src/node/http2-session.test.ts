import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { constants } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { eventually, rejection } from '@liqo/testkit';
import { connectionTo, cutAfter, startRelay } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { TransportError, type TransportResponse } from '../transport.ts';
import { dial } from './dial.ts';
import { Http2Session } from './http2-session.ts';
import { startNarrowWire } from './testing/narrow-wire.ts';
import { startTransportWorld, transportThrough } from './testing/transport-world.ts';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;
const get = (path: string) => ({ method: 'GET', path });
const any = () => true;

async function drain(response: TransportResponse): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.chunks()) bytes += chunk.length;
  return bytes;
}

test('Http2Session sends the body of a DELETE', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const answer = await world.transport.send({ method: 'DELETE', path: '/x', body: '{"é":1}' });
  expect(JSON.parse(await answer.text())).toMatchObject({ method: 'DELETE', body: '{"é":1}' });
  const bare = await world.transport.send({ method: 'DELETE', path: '/x' });
  expect(JSON.parse(await bare.text())).not.toHaveProperty('body');
});

test('Http2Session delivers a large body whole, as text and in chunks', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const path = `/bytes/${12 * 1024 * 1024}`;
  expect(await (await world.transport.send(get(path))).text()).toHaveLength(12 * 1024 * 1024);
  expect(await drain(await world.transport.send(get(path)))).toBe(12 * 1024 * 1024);
});

test('Http2Session answers others while nobody reads a large body', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const unread: TransportResponse[] = [];
  for (let n = 0; n < 6; n++) {
    unread.push(await world.transport.send(get(`/bytes/${6 * 1024 * 1024}`)));
  }
  await (await world.transport.send(get('/'))).text();
  expect(world.server.connectionsOpened).toBe(1);
  for (const response of unread) expect(await drain(response)).toBe(6 * 1024 * 1024);
});

test.each([
  ['a reset stream (CANCEL)', { stream: NGHTTP2_CANCEL }],
  ['a reset stream (INTERNAL_ERROR)', { stream: NGHTTP2_INTERNAL_ERROR }],
  ['a closed connection', 'close'],
  ['a reset connection', 'reset'],
] as const)('Http2Session never takes a body cut by %s for a whole one', async (_, how) => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, server } = world;
  const text = (response: TransportResponse): Promise<unknown> => response.text();
  for (const read of [text, drain]) {
    server.script.next(any, cutAfter(1_000, how));
    const error = await rejection(transport.send(get('/bytes/5000')).then(read));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ sent: true });
  }
});

test('Http2Session reports a refused stream as not sent, and a lost answer as sent', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, server } = world;
  server.script.next(any, { noAnswer: { stream: NGHTTP2_REFUSED_STREAM } }, { noAnswer: 'reset' });
  expect(await rejection(transport.send(get('/')))).toMatchObject({ sent: false });
  expect(await rejection(transport.send(get('/')))).toMatchObject({ sent: true });
  await (await transport.send(get('/'))).text();
  expect(server.connectionsOpened).toBe(2);
});

test('Http2Session rejects a body whose connection was lost before anybody read it', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, server } = world;
  const [text, chunks] = [
    await transport.send(get('/endless')),
    await transport.send(get('/endless')),
  ];
  server.resetConnections();
  // A request that is sent before the client sees the reset fails as well.
  await eventually(async () => (await transport.send(get('/'))).text());
  expect(await rejection(text.text())).toBeInstanceOf(TransportError);
  expect(await rejection(drain(chunks))).toBeInstanceOf(TransportError);
});

test('Http2Session gives the stream of a discarded body back', async () => {
  await using world = await startTransportWorld({ speaks: 'h2', maxConcurrentStreams: 2 });
  for (let n = 0; n < 10; n++) {
    const response = await world.transport.send(get(n % 2 ? '/endless' : '/bytes/9000000'));
    response.discard();
    await eventually(() => expect(world.server.openRequests).toBe(0));
  }
  expect(world.server.connectionsOpened).toBe(1);
});

test('Http2Session ends a stream whose reader stops in the middle', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const response = await world.transport.send(get('/endless'));
  for await (const chunk of response.chunks()) {
    expect(chunk.toString()).toBe('first');
    break;
  }
  await eventually(() => expect(world.server.openRequests).toBe(0));
  expect(world.server.openConnections).toBe(1);
});

test('Http2Session ends with the reason of the signal, before the headers and within the body', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, server } = world;
  const never = new Promise(() => undefined);
  server.script.next(any, { holdHeaders: never });
  const reason = new Error('enough');
  const early = new AbortController();
  const waiting = rejection(transport.send(get('/'), early.signal));
  await eventually(() => expect(server.openRequests).toBe(1));
  early.abort(reason);
  expect(await waiting).toBe(reason);
  const late = new AbortController();
  const response = await transport.send(get('/endless'), late.signal);
  const reading = rejection(drain(response));
  late.abort(reason);
  expect(await reading).toBe(reason);
  await eventually(() => expect(server.openRequests).toBe(0));
  expect(server.connectionsOpened).toBe(1);
});

test('Http2Session leaves nothing attached to a signal that outlives the request', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n++) await (await world.transport.send(get('/'), signal)).text();
  await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
});

test('Http2Session notices a peer that is gone without a word, within 15 seconds', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  await using relay = await startRelay(world.server.port);
  await using transport = transportThrough(relay, world);
  const watch = await transport.send(get('/endless'));
  const reading = rejection(drain(watch));
  relay.stall();
  await world.clock.advance(12_500);
  expect(relay.openConnections).toBe(1);
  await world.clock.advance(2_500);
  expect(await reading).toMatchObject({ name: 'TransportError', sent: true });
  relay.resume();
  await eventually(() => expect(relay.openConnections).toBe(0));
  await (await transport.send(get('/'))).text();
});

test('Http2Session keeps a silent connection whose peer answers its pings', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, clock, server } = world;
  const watch = await transport.send(get('/endless'));
  for (let passedMs = 0; passedMs < 600_000; passedMs += 250) await clock.advance(250);
  expect(server.openRequests).toBe(1);
  watch.discard();
  await (await transport.send(get('/'))).text();
  expect(server.connectionsOpened).toBe(1);
});

test('Http2Session keeps a connection that is slow: answers to pings wait behind what they are sent after', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  await using narrow = await startNarrowWire(world.server.port);
  await using transport = transportThrough(narrow, world);
  await (await transport.send(get('/'))).text();
  narrow.narrow();
  const bytes = 400_000;
  const reading = transport.send(get(`/bytes/${bytes}`)).then(drain);
  let isRead = false;
  const onEnd = () => {
    isRead = true;
  };
  reading.then(onEnd, onEnd);
  while (!isRead) {
    await eventually(() => expect(isRead || narrow.heldBytes > 0).toBe(true));
    narrow.deliver(8_000);
    await world.clock.advance(1_000);
  }
  expect(await reading).toBe(bytes);
  expect(narrow.connectionsOpened).toBe(1);
});

test('Http2Session sets no timer while nothing is open', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { transport, clock } = world;
  await (await transport.send(get('/'))).text();
  await clock.advance(15_000);
  expect(clock.pendingTimers).toBe(0);
  await (await transport.send(get('/'))).text();
  expect(clock.pendingTimers).toBe(1);
});

test('Http2Session is usable from the settings of the server until its stream numbers are used up', async () => {
  await using world = await startTransportWorld({ speaks: 'h2' });
  const { server, clock } = world;
  const tls = await connectionTo(server.url, { authority: server.authority }).tls();
  const socket = await dial({ server: server.url, proxyUrl: undefined, tls, alpn: ['h2'], clock });
  const { origin } = server.url;
  const session = new Http2Session({ socket: socket as TLSSocket, origin, clock, maxRequests: 2 });
  expect(session.usable).toBe(false);
  await session.ready();
  for (let n = 0; n < 2; n++) {
    expect(session.usable).toBe(true);
    await (await session.send(get('/'), {}, undefined)).text();
  }
  expect(session.usable).toBe(false);
  await session.destroy(new Error('done'));
});

test('Http2Session leaves the memory of the process whole when an answer makes its reader destroy it', async () => {
  const program = fileURLToPath(new URL('./testing/disposing-process.ts', import.meta.url));
  // glibc hands freed memory out again at once, and overwrites it: whoever still uses it does not come far.
  const strictMemory = { MALLOC_PERTURB_: '90', GLIBC_TUNABLES: 'glibc.malloc.tcache_count=0' };
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...process.env, ...strictMemory },
    stdio: 'inherit',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = await once(child, 'close');
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});
