import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { eventually, rejection, seededRandom } from '@liqo/testkit';
import { connectionTo, createCertificateAuthority } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { ApiError } from '../api-error.ts';
import { Client } from '../client.ts';
import { HttpTransport } from './http-transport.ts';
import { startTransportWorld, type TransportWorld } from './testing/transport-world.ts';

const upgrade = {
  method: 'POST',
  path: '/api/v1/namespaces/shop/pods/web/exec?command=sh',
  headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
};
const switched = 'HTTP/1.1 101 Switching\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n\r\n';

function echo(_request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => undefined);
  socket.write(`${switched}hello`);
  socket.unshift(head);
  socket.pipe(socket);
}

async function open({ transport }: TransportWorld, signal?: AbortSignal) {
  const answer = await transport.upgrade(upgrade, signal);
  if (!('stream' in answer)) throw new Error(`The server answered ${answer.status}`);
  return answer;
}

async function read(stream: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString('latin1');
    if (text.length >= bytes) break;
  }
  return text;
}

test('upgrade() hands the connection over, with what came together with the head', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  const { stream, status, headers } = await open(world);
  expect([status, headers.upgrade]).toEqual([101, 'SPDY/3.1']);
  const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, n) => n % 256));
  stream.write(bytes);
  expect(await read(stream, bytes.length + 5)).toBe(`hello${bytes.toString('latin1')}`);
});

test('upgrade() lets each side end for itself', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  const { stream } = await open(world);
  stream.write(Buffer.from(' and bye'));
  stream.end();
  expect(await read(stream, Number.POSITIVE_INFINITY)).toBe('hello and bye');
});

test('upgrade() gives the response when the server does not switch, and connect() throws it', async () => {
  const refusal = {
    kind: 'Status',
    code: 403,
    reason: 'Forbidden',
    message: 'pods "web" is not yours',
  };
  await using world = await startTransportWorld({
    serve: async () => ({ status: 403, body: JSON.stringify(refusal) }),
  });
  const { transport, clock, server } = world;
  const answer = await transport.upgrade(upgrade);
  expect('stream' in answer).toBe(false);
  expect(answer.status).toBe(403);
  if (!('stream' in answer)) expect(JSON.parse(await answer.text())).toEqual(refusal);
  await eventually(() => expect(server.openConnections).toBe(0));
  const client = new Client({ transport, clock, random: seededRandom(1) });
  const pod = { namespace: 'shop', name: 'web' };
  const error = await rejection(client.connect(pod, 'exec', { protocol: 'SPDY/3.1' }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 403, message: 'pods "web" is not yours' });
});

test('upgrade() survives that the connection is reset while nobody reads', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  const { stream } = await open(world);
  world.server.resetConnections();
  await eventually(() => expect(world.server.openConnections).toBe(0));
  const failure = await rejection(read(stream, Number.POSITIVE_INFINITY));
  expect(failure).toBeInstanceOf(Error);
});

test('upgrade() repeats the request once with new credentials when the server says 401', async () => {
  let token = 'stale';
  await using world = await startTransportWorld(
    {
      onUpgrade: (request, socket, head) => {
        if (request.headers.authorization === 'fresh') return echo(request, socket, head);
        socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
      },
    },
    {
      identity: () => ({ headers: { authorization: token } }),
      onUnauthorized: async () => {
        token = 'fresh';
        return true;
      },
    },
  );
  const { stream } = await open(world);
  expect(await read(stream, 5)).toBe('hello');
});

test('upgrade() keeps a switched connection open when the client certificate is renewed', async () => {
  const authority = await createCertificateAuthority('clients');
  const before = await authority.issueClient({ name: 'ann', groups: [] });
  const after = await authority.issueClient({ name: 'ann', groups: [] });
  let today = before;
  await using world = await startTransportWorld(
    { clientAuthority: authority.certificate, onUpgrade: echo },
    { identity: () => ({ client: today }) },
  );
  const { transport, server } = world;
  const { stream } = await open(world);
  await (await transport.send({ method: 'GET', path: '/' })).text();
  today = after;
  // The renewed certificate is shown on another connection; that of the stream stays.
  await (await transport.send({ method: 'GET', path: '/' })).text();
  expect(server.connectionsOpened).toBe(3);
  const second = await open(world);
  stream.write(Buffer.from(' and on'));
  stream.end();
  expect(await read(stream, Number.POSITIVE_INFINITY)).toBe('hello and on');
  second.stream.end();
});

test('upgrade() ends with the reason of the signal while the server thinks', async () => {
  await using world = await startTransportWorld({
    onUpgrade: (_, socket) => void socket.on('error', () => undefined),
  });
  const reason = new Error('enough');
  const controller = new AbortController();
  const waiting = rejection(world.transport.upgrade(upgrade, controller.signal));
  await eventually(() => expect(world.server.openConnections).toBe(1));
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  await eventually(() => expect(world.server.openConnections).toBe(0));
});

test('upgrade() leaves nothing attached to a signal that outlives it', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  const { signal } = new AbortController();
  const { stream } = await open(world, signal);
  stream.end();
  expect(await read(stream, Number.POSITIVE_INFINITY)).toBe('hello');
  await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
});

test('upgrade() leaves no connection behind when the request cannot even be written', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  const headers = { ...upgrade.headers, 'x-broken': 'a\nb' };
  const error = await rejection(world.transport.upgrade({ ...upgrade, headers }));
  expect(error).toMatchObject({ code: 'ERR_INVALID_CHAR' });
  await eventually(() => expect(world.server.openConnections).toBe(0));
});

test('asyncDispose ends switched connections', async () => {
  await using world = await startTransportWorld({ onUpgrade: echo });
  await using transport = new HttpTransport(
    connectionTo(world.server.url, { authority: world.server.authority }),
    world.clock,
  );
  const answer = await transport.upgrade(upgrade);
  expect(answer.status).toBe(101);
  await transport[Symbol.asyncDispose]();
  await eventually(() => expect(world.server.openConnections).toBe(0));
});
