import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from '@liqo/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { WebSocketCommand } from './web-socket-command.ts';

const everything = { stdin: true, stdout: true, stderr: true, tty: false };

describe('WebSocketCommand', () => {
  const servers: WebSocketServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Both ends of one WebSocket. */
  async function connect(): Promise<{ near: WebSocket; far: WebSocket }> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const near = new WebSocket(`ws://127.0.0.1:${port}`);
    const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'open')]);
    return { near, far };
  }

  /** What came on every channel, once the other side has closed. */
  async function collect(socket: WebSocket): Promise<Record<number, string>> {
    const channels: Record<number, string> = {};
    socket.on('message', (data: Buffer) => {
      const channel = data[0] ?? 0;
      channels[channel] = (channels[channel] ?? '') + data.subarray(1).toString();
    });
    await once(socket, 'close');
    return channels;
  }

  test('gives every stream its channel, and the status the last word', async () => {
    const { near, far } = await connect();
    const channels = collect(near);
    const command = new WebSocketCommand(far, everything);
    await command.stdout('out');
    await command.stderr('err');
    await command.finish({ status: 'Success' });
    expect(await channels).toEqual({ 1: 'out', 2: 'err', 3: '{"status":"Success"}' });
    await eventually(() => expect(command.closed.aborted).toBe(true));
  });

  test('says nothing on channels that nobody wants', async () => {
    const { near, far } = await connect();
    const channels = collect(near);
    const command = new WebSocketCommand(far, { ...everything, stdout: false, stderr: false });
    await command.stdout('out');
    await command.stderr('err');
    await command.finish({});
    expect(await channels).toEqual({ 3: '{}' });
  });

  test('hands on the sizes of a terminal, which has one screen', async () => {
    const { near, far } = await connect();
    const channels = collect(near);
    const command = new WebSocketCommand(far, { ...everything, tty: true });
    near.send(Buffer.from('\x04{"Width":80}'));
    const { value } = await command.resizes[Symbol.asyncIterator]().next();
    expect(String(value)).toBe('{"Width":80}');
    await command.stderr('err');
    await command.finish({});
    expect(await channels).toMatchObject({ 1: 'err' });
  });

  test('holds a client back whose input nobody reads, and lets it go on', async () => {
    const { near, far } = await connect();
    const command = new WebSocketCommand(far, everything);
    const size = 10_000_000;
    const chunk = Buffer.alloc(50_001);
    for (let sent = 0; sent < size; sent += 50_000) near.send(chunk);
    near.send(Buffer.of(255, 0));
    await eventually(() => expect(far.isPaused).toBe(true));
    expect(command.stdin.size).toBeLessThan(400_000);
    let received = 0;
    for await (const bytes of command.stdin) received += bytes.length;
    expect(received).toBe(size);
    near.terminate();
  });

  test('ends its input and is aborted when the client goes', async () => {
    const { near, far } = await connect();
    const command = new WebSocketCommand(far, everything);
    near.terminate();
    for await (const bytes of command.stdin) expect(bytes).toHaveLength(0);
    expect(command.closed.aborted).toBe(true);
  });
});
