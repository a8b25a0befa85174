import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Client, type InProcessServer } from '@liqo/kube';
import { HttpTransport } from '@liqo/kube/node';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { connectionTo, type FaultServer, startFaultServer } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BareKubelet, startBareKubelet } from './testing/bare-kubelet.ts';
import { type Switched, type SwitchOptions, switchProtocol } from './testing/switch-protocol.ts';

const exec = '/exec/shop/web/main?command=sh&command=-c&command=a+b%26c&input=1&output=1&tty=1';

describe('a stream through a virtual node', () => {
  let provider: FaultServer;
  let transport: HttpTransport;
  let kubelet: BareKubelet;
  let onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  let refuse: InProcessServer;

  beforeEach(async () => {
    onUpgrade = echo;
    refuse = async () => ({ status: 404, body: 'no' });
    provider = await startFaultServer({
      serve: (request, signal) => refuse(request, signal),
      onUpgrade: (...parts) => onUpgrade(...parts),
    });
    const clock = new VirtualClock();
    transport = new HttpTransport(
      connectionTo(provider.url, { authority: provider.authority }),
      clock,
    );
    const client = new Client({ transport, clock, random: seededRandom(1) });
    kubelet = await startBareKubelet({ client, remoteNamespace: () => 'shop-rome' });
    kubelet.desk.rights.add('token runner').add('runner create proxy').add('runner get proxy');
  });
  afterEach(async () => {
    await kubelet[Symbol.asyncDispose]();
    await transport[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const ask = (options: Partial<SwitchOptions> = {}) =>
    switchProtocol({ port: kubelet.server.port, path: exec, token: 'runner', ...options });

  async function open(options: Partial<SwitchOptions> = {}): Promise<Switched> {
    const answer = await ask(options);
    if ('socket' in answer) return answer;
    throw new Error(`Refused with ${answer.status}: ${answer.body}`);
  }

  const nothingIsLeft = () =>
    eventually(() => {
      const open = { near: kubelet.server.connections, far: provider.openConnections };
      expect(open).toEqual({ near: 0, far: 0 });
    });

  test('is asked for at the provider with the same wishes and without anything private', async () => {
    let asked: IncomingMessage | undefined;
    onUpgrade = (request, socket, head) => {
      asked = request;
      echo(request, socket, head);
    };
    const headers = { 'x-stream-protocol-version': 'v4.channel.k8s.io', cookie: 'secret' };
    const { socket, headers: answered } = await open({ headers });
    expect(asked).toMatchObject({
      method: 'POST',
      url: '/api/v1/namespaces/shop-rome/pods/web/exec?container=main&command=sh&command=-c&command=a%20b%26c&stdin=true&stdout=true&tty=true',
    });
    expect(asked?.headers).toMatchObject({
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    });
    expect(asked?.headers).not.toHaveProperty('authorization');
    expect(asked?.headers).not.toHaveProperty('cookie');
    expect(answered).toMatchObject({
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    });
    expect(answered).not.toHaveProperty('x-other');
    socket.destroy();
    await nothingIsLeft();
  });

  test('is a GET at the provider when it is a WebSocket, whose tokens stay here', async () => {
    let asked: IncomingMessage | undefined;
    onUpgrade = (request, socket, head) => {
      asked = request;
      echo(request, socket, head);
    };
    const protocols = 'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0';
    const { socket } = await open({
      method: 'GET',
      path: '/portForward/shop/web?port=80,443',
      headers: {
        upgrade: 'WebSocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
        'sec-websocket-protocol': protocols,
      },
    });
    expect(asked).toMatchObject({
      method: 'GET',
      url: '/api/v1/namespaces/shop-rome/pods/web/portforward?ports=80&ports=443',
    });
    expect(asked?.headers).toMatchObject({
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'v5.channel.k8s.io',
    });
    socket.destroy();
  });

  test('carries every byte both ways, however slowly they are read', async () => {
    const { socket } = await open();
    const sent = randomBytes(8 * 1024 * 1024);
    socket.end(sent);
    await eventually(() => expect(socket.bytesRead).toBeGreaterThan(0));
    const received = await buffer(socket);
    expect(received.equals(Buffer.concat([Buffer.from('hello'), sent]))).toBe(true);
    await nothingIsLeft();
  });

  test('does not hold what nobody reads, and ends when nothing has moved for hours', async () => {
    let taken = 0;
    onUpgrade = (_, socket) => {
      socket.write(switching);
    };
    const { socket } = await open();
    const chunk = Buffer.alloc(64 * 1024);
    while (taken < 64 * 1024 * 1024) {
      taken += chunk.length;
      if (!socket.write(chunk) && !(await drains(socket))) break;
    }
    expect(taken).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
    await kubelet.clock.advance(4 * 3600_000);
    await eventually(() => expect(kubelet.server.connections).toBe(0));
  });

  test('lets each side say that it has nothing more to say', async () => {
    let far: Promise<string> | undefined;
    onUpgrade = (_, socket) => {
      socket.write(`${switching}bye`);
      socket.end();
      far = text(socket);
    };
    const { socket } = await open();
    socket.allowHalfOpen = true;
    expect(await allOf(socket)).toBe('bye');
    socket.end('and bye to you');
    expect(await far).toBe('and bye to you');
    await nothingIsLeft();
  });

  test('ends when one side has been silent for a minute after the other one’s last word', async () => {
    onUpgrade = (_, socket) => {
      socket.write(switching);
      socket.on('error', () => undefined).resume();
    };
    const { socket } = await open();
    socket.end();
    await eventually(() => expect(kubelet.clock.pendingTimers).toBeGreaterThan(0));
    await eventually(async () => {
      await kubelet.clock.advance(60_000);
      expect(provider.openConnections).toBe(0);
    });
    await nothingIsLeft();
  });

  test('breaks when either side breaks', async () => {
    const first = await open();
    provider.resetConnections();
    await closed(first.socket);
    const second = await open();
    second.socket.destroy();
    await nothingIsLeft();
  });

  test.each([
    [403, 'Forbidden', 'pods "web" is forbidden'],
    [404, 'NotFound', 'pods "web" not found'],
    [400, 'BadRequest', 'container main is not valid for pod web'],
  ])('tells a %i of the provider as it is', async (code, reason, message) => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
    onUpgrade = (_, socket) => {
      const body = JSON.stringify(status);
      const head = `HTTP/1.1 ${code} No\r\ncontent-length: ${body.length}\r\n\r\n`;
      socket.end(`${head}${body}`);
    };
    const answer = await ask();
    expect(answer).toMatchObject({ status: code });
    expect('body' in answer && JSON.parse(answer.body)).toMatchObject(status);
    await kubelet.clock.advance(1_000);
    await nothingIsLeft();
  });

  test('does not take the provider’s doubts about the node for doubts about the caller', async () => {
    onUpgrade = (_, socket) => socket.end('HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n');
    expect(await ask()).toMatchObject({ status: 502 });
  });

  test('is refused while the provider is away', async () => {
    await provider[Symbol.asyncDispose]();
    expect(await ask()).toMatchObject({
      status: 503,
      body: expect.stringContaining('Cannot reach the provider'),
    });
  });

  test('is refused to whoever may not, and in a protocol that nobody speaks', async () => {
    expect(await ask({ token: 'nobody' })).toMatchObject({ status: 401 });
    expect(await ask({ headers: { upgrade: 'h2c' } })).toMatchObject({ status: 400 });
    const ports = await ask({ path: '/portForward/shop/web?port=70000' });
    expect(ports).toMatchObject({ status: 400, body: expect.stringContaining('70000') });
    kubelet.desk.rights.add('runner get pods');
    expect(await ask({ path: '/pods', method: 'GET' })).toMatchObject({ status: 400 });
    expect(provider.requests).toEqual([]);
  });

  test('leaves nothing behind, whenever and however it is cut', async () => {
    const random = seededRandom(7);
    onUpgrade = (request, socket, head) => {
      if (random() < 0.2) return void socket.destroy();
      echo(request, socket, head);
      if (random() < 0.3) socket.unpipe().resume().end();
      if (random() < 0.2) socket.destroy();
    };
    const cutOne = async () => {
      const leave = new AbortController();
      const turns = Math.floor(random() * 30);
      const opening = ask({ signal: leave.signal }).catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      if (random() < 0.4) leave.abort();
      const answer = await opening;
      if (!answer || !('socket' in answer)) return;
      const { socket } = answer;
      socket.resume().write(randomBytes(Math.floor(random() * 100_000)));
      if (random() < 0.5) socket.end();
      else socket.destroy();
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, cutOne));
    }
    await eventually(
      async () => {
        await kubelet.clock.advance(60_000);
        const open = { near: kubelet.server.connections, far: provider.openConnections };
        expect(open).toEqual({ near: 0, far: 0 });
      },
      { timeoutMs: 30_000 },
    );
    expect(kubelet.clock.pendingTimers).toBeLessThanOrEqual(2);
  });

  test.each([
    'GET /metrics/../../secrets',
    'GET /metrics/%2e%2e/secrets',
    'GET //metrics',
    'GET /containerLogs/shop/%2e%2e/main',
    'GET /exec/shop/web/main%00',
    'GET /exec/shop/web/\u0000',
    'GET https://provider/metrics',
    `GET /containerLogs/shop/${'a'.repeat(100_000)}/main`,
    `GET /${'a'.repeat(2_000_000)}`,
    'CONNECT provider:443',
  ])('is not reached by %j', async (line) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: kubelet.server.port,
      rejectUnauthorized: false,
    });
    socket.on('error', () => undefined);
    socket.write(
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer runner\r\nConnection: close\r\n\r\n`,
    );
    const answer = await text(socket).catch(() => '');
    expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    expect([...provider.requests, ...kubelet.desk.asked]).toEqual([]);
    socket.destroy();
  });
});

const switching =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-stream-protocol-version: v4.channel.k8s.io\r\nx-other: y\r\n\r\n';

function echo(_request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => undefined);
  socket.write(`${switching}hello`);
  socket.unshift(head);
  socket.pipe(socket);
}

/** Until the other side has nothing more to say; the socket stays good for writing. */
async function allOf(socket: Socket): Promise<string> {
  let said = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) said += chunk;
  return said;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.resume().once('close', () => resolve()));
}

/** Whether there is room again before long. */
function drains(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), 300);
    socket.once('drain', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
