import { HttpTransport } from '@liqo/kube/node';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { cutAfter, delayed, failAfterEffect, refusal } from '../faults/fault.ts';
import { rejection } from '../rejection.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { connectionTo } from './connection-to.ts';
import { type FaultServerOptions, startFaultServer } from './fault-server.ts';

/** A server whose only knowledge is how often it was asked. */
async function start(options: Partial<FaultServerOptions> = {}) {
  let asked = 0;
  const serve: FaultServerOptions['serve'] = async () => {
    asked += 1;
    return { status: 200, body: `answer ${asked}` };
  };
  const server = await startFaultServer({ serve, ...options });
  const { authority } = server;
  const transport = new HttpTransport(connectionTo(server.url, { authority }), new VirtualClock());
  return {
    server,
    asked: () => asked,
    async get() {
      const response = await transport.send({ method: 'GET', path: '/' });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const any = () => true;

test.each([
  ['h2 and http/1.1', 1],
  ['h2', 1],
  ['http/1.1', 2],
  ['http', 1],
] as const)('FaultServer speaks %s, and counts', async (speaks, connections) => {
  await using world = await start({ speaks });
  expect(await world.get()).toMatchObject({ status: 200, text: 'answer 1' });
  expect(await world.get()).toMatchObject({ status: 200, text: 'answer 2' });
  const { server } = world;
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/' },
  ]);
  await eventually(() => expect(server.openRequests).toBe(0));
  expect(server.connectionsOpened).toBe(connections);
  await eventually(() => expect(server.openConnections).toBe(1));
});

test('FaultServer answers as planned instead of the truth, with or without its effect', async () => {
  await using world = await start();
  world.server.script.next(any, refusal(429, '7'), failAfterEffect(500));
  expect(await world.get()).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
  expect(world.asked()).toBe(0);
  expect(await world.get()).toMatchObject({ status: 500 });
  expect(world.asked()).toBe(1);
  expect(await world.get()).toMatchObject({ text: 'answer 2' });
});

test('FaultServer cuts a body after so many bytes', async () => {
  await using world = await start();
  world.server.script.next(any, cutAfter(3, 'end'), cutAfter(3, 'reset'));
  expect((await world.get()).text).toBe('ans');
  expect(await rejection(world.get())).toMatchObject({ name: 'TransportError' });
  expect((await world.get()).text).toBe('answer 3');
});

test('FaultServer holds the headers back until it may go on', async () => {
  await using world = await start();
  let goOn = () => {};
  const holdHeaders = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.server.script.next(any, { holdHeaders });
  const answer = world.get();
  await eventually(() => expect(world.asked()).toBe(1));
  expect(world.server.openRequests).toBe(1);
  goOn();
  expect((await answer).text).toBe('answer 1');
});

test('FaultServer closes the connection when whoever knows the answers has none', async () => {
  await using world = await start({ serve: async () => Promise.reject(new Error('no idea')) });
  expect(await rejection(world.get())).toMatchObject({ name: 'TransportError' });
});

test('FaultServer delays and repeats requests as planned', async () => {
  const clock = new VirtualClock();
  await using world = await start({ clock });
  world.server.script.next(any, delayed(1_000), { twice: 'second answer' });
  const slow = world.get();
  await eventually(() => expect(clock.nextTimerMs).toBe(1_000));
  expect(world.asked()).toBe(0);
  await clock.advance(1_000);
  expect(world.asked()).toBe(1);
  await clock.advance(1_000);
  expect((await slow).text).toBe('answer 1');
  expect((await world.get()).text).toBe('answer 3');
});
