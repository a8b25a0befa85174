import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import type { CallSignal } from './call-signal.ts';
import { type InProcessAnswer, InProcessTransport } from './in-process-transport.ts';
import { JsonContent, JsonLines } from './json-content.ts';
import { TransportClosedError, type TransportResponse } from './transport.ts';

const get = { method: 'GET', path: '/' };
const never = new Promise<never>(() => undefined);

/** A body whose server cares for nothing. */
async function* deaf(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('grüß');
  await never;
}

async function read(response: TransportResponse): Promise<string> {
  let text = '';
  for await (const chunk of response.chunks()) text += new TextDecoder().decode(chunk);
  return text;
}

test('send() gives what the server answers, as text and in chunks', async () => {
  async function* pieces() {
    const bytes = new TextEncoder().encode('grüße');
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const transport = new InProcessTransport(async ({ path }) => ({
    status: 201,
    headers: { 'content-type': 'text/plain' },
    body: path === '/stream' ? pieces() : 'hello',
  }));
  const response = await transport.send(get);
  expect(response).toMatchObject({ status: 201, headers: { 'content-type': 'text/plain' } });
  expect(await response.text()).toBe('hello');
  expect(await read(await transport.send(get))).toBe('hello');
  expect(await (await transport.send({ ...get, path: '/stream' })).text()).toBe('grüße');
});

test('send() hands over the very value that the server answers, or its JSON', async () => {
  const value = { name: 'grüße' };
  const transport = new InProcessTransport(async () => ({
    status: 200,
    body: new JsonContent(value),
  }));
  expect((await transport.send(get)).value?.()).toBe(value);
  expect(await (await transport.send(get)).text()).toBe('{"name":"grüße"}\n');
  expect(await read(await transport.send(get))).toBe('{"name":"grüße"}\n');
});

test('send() hands over the values of a stream in their batches, or as lines of JSON', async () => {
  async function* batches() {
    yield [{ n: 1 }, { n: 2 }];
    yield [{ n: 3 }];
  }
  const body = () => new JsonLines(batches());
  const transport = new InProcessTransport(async () => ({ status: 200, body: body() }));
  const heard: (readonly unknown[])[] = [];
  for await (const batch of (await transport.send(get)).values?.() ?? []) heard.push(batch);
  expect(heard).toEqual([[{ n: 1 }, { n: 2 }], [{ n: 3 }]]);
  expect(await (await transport.send(get)).text()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
});

test('cut() ends what the server does, and nobody on this side hears anything any more', async () => {
  const signals: CallSignal[] = [];
  const heard: unknown[] = [];
  const answers = new EventTarget();
  const transport = new InProcessTransport(({ path }, signal) => {
    signals.push(signal);
    if (path === '/stream') return Promise.resolve({ status: 200, body: deaf() });
    return new Promise((resolve) =>
      answers.addEventListener('answer', () => resolve({ status: 200 })),
    );
  });
  const note = (outcome: unknown) => void heard.push(outcome);
  const hear = (what: Promise<unknown>) => void what.then(note, note);
  hear(transport.send(get));
  const chunks = (await transport.send({ ...get, path: '/stream' })).chunks();
  const iterator = chunks[Symbol.asyncIterator]();
  await iterator.next();
  hear(iterator.next());
  transport.cut();
  answers.dispatchEvent(new Event('answer'));
  hear(transport.send(get));
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual([]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('send() ends with the reason of the signal, whatever the server does about it', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const transport = new InProcessTransport(() => never);
  const waiting = rejection(transport.send(get, controller.signal));
  const upgrading = rejection(transport.upgrade(get, controller.signal));
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  expect(await upgrading).toBe(reason);
  expect(await rejection(transport.send(get, controller.signal))).toBe(reason);
});

test('send() ends the body with the reason of the signal, whatever the server does about it', async () => {
  const reason = new Error('enough');
  const transport = new InProcessTransport(async () => ({ status: 200, body: deaf() }));
  for (const consume of [read, (response: TransportResponse) => response.text()]) {
    const controller = new AbortController();
    const reading = rejection(consume(await transport.send(get, controller.signal)));
    controller.abort(reason);
    expect(await reading).toBe(reason);
  }
});

test('the server learns when nobody wants its answer any more', async () => {
  const signals: CallSignal[] = [];
  const transport = new InProcessTransport(async (_, signal) => {
    signals.push(signal);
    return { status: 200, body: deaf() };
  });
  (await transport.send(get)).discard();
  expect(signals[0]?.aborted).toBe(true);
  for await (const chunk of (await transport.send(get)).chunks()) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect(signals[1]?.aborted).toBe(true);
});

test('nothing stays attached to a signal that outlives its requests', async () => {
  const { signal } = new AbortController();
  const failure = new Error('no');
  const answers: InProcessAnswer[] = [
    { status: 200, body: 'whole' },
    { status: 200, body: deaf() },
    { status: 101, stream: new PassThrough() },
  ];
  const transport = new InProcessTransport(async () => answers.shift() ?? Promise.reject(failure));
  await (await transport.send(get, signal)).text();
  (await transport.send(get, signal)).discard();
  await transport.upgrade(get, signal);
  expect(await rejection(transport.send(get, signal))).toBe(failure);
  expect(await rejection(transport.upgrade(get, signal))).toBe(failure);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('upgrade() gives the switched connection, or the response that says why not', async () => {
  const stream = new PassThrough();
  const transport = new InProcessTransport(async ({ path }) =>
    path === '/no' ? { status: 403, body: 'no' } : { status: 101, stream },
  );
  expect(await transport.upgrade(get)).toMatchObject({ status: 101, stream });
  const refused = await transport.upgrade({ ...get, path: '/no' });
  expect(refused.status).toBe(403);
  if (!('stream' in refused)) expect(await refused.text()).toBe('no');
});

test('asyncDispose ends everything, and whatever comes later', async () => {
  const stream = new PassThrough();
  const signals: CallSignal[] = [];
  const transport = new InProcessTransport(({ path }, signal) => {
    signals.push(signal);
    if (path === '/never') return never;
    return Promise.resolve(
      path === '/switch' ? { status: 101, stream } : { status: 200, body: deaf() },
    );
  });
  const waiting = rejection(transport.send({ ...get, path: '/never' }));
  const reading = rejection(read(await transport.send(get)));
  await transport.upgrade({ ...get, path: '/switch' });
  await transport[Symbol.asyncDispose]();
  for (const failure of [await waiting, await reading]) {
    expect(failure).toBeInstanceOf(TransportClosedError);
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  expect(await rejection(transport.send(get))).toBeInstanceOf(TransportClosedError);
});

test('send() keeps a request back when beforeSending throws', async () => {
  const asked: string[] = [];
  const transport = new InProcessTransport(async ({ method }) => {
    asked.push(method);
    return { status: 200 };
  });
  const beforeSending = () => {
    throw new Error('too late');
  };
  const write = { method: 'POST', path: '/', beforeSending };
  await expect(transport.send(write)).rejects.toThrow('too late');
  await expect(transport.upgrade(write)).rejects.toThrow('too late');
  expect(asked).toEqual([]);
});
