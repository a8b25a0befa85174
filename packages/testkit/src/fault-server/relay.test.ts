import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { startRelay } from './relay.ts';

/** A server that sends everything back, and a client of it through a relay. */
async function start() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket)).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const relay = await startRelay((server.address() as AddressInfo).port);
  return {
    relay,
    sockets,
    connect: () => connectTo(relay.port),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]();
      server.close();
    },
  };
}

async function connectTo(port: number) {
  const heard: string[] = [];
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text) => heard.push(String(text)));
  await once(socket, 'connect');
  return { socket, text: () => heard.join('') };
}

test('Relay hands everything through, the end of each side too', async () => {
  await using world = await start();
  const { socket, text } = await world.connect();
  socket.end('hello');
  await once(socket, 'close');
  expect(text()).toBe('hello');
  await eventually(() => expect(world.sockets.size).toBe(0));
  expect(world.relay.openConnections).toBe(0);
});

test('stall() holds everything back until resume()', async () => {
  await using world = await start();
  const { socket, text } = await world.connect();
  socket.write('one');
  await eventually(() => expect(text()).toBe('one'));
  world.relay.stall();
  socket.write('two');
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(text()).toBe('one');
  world.relay.resume();
  await eventually(() => expect(text()).toBe('onetwo'));
  socket.destroy();
});

test('abandon() leaves old connections open and dead, and lets new ones pass', async () => {
  await using world = await start();
  const old = await world.connect();
  old.socket.write('one');
  await eventually(() => expect(old.text()).toBe('one'));
  world.relay.abandon();
  old.socket.write('two');
  const young = await world.connect();
  young.socket.write('three');
  await eventually(() => expect(young.text()).toBe('three'));
  expect(old.text()).toBe('one');
  expect(old.socket.closed).toBe(false);
  old.socket.destroy();
  young.socket.destroy();
  await eventually(() => expect(world.sockets.size).toBe(0));
});

test('cut() resets every connection', async () => {
  await using world = await start();
  const { socket } = await world.connect();
  socket.write('one');
  await eventually(() => expect(world.sockets.size).toBe(1));
  world.relay.cut();
  await eventually(() => {
    expect(socket.closed).toBe(true);
    expect(world.sockets.size).toBe(0);
  });
});
