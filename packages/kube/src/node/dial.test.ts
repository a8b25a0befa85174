import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { eventually, rejection, VirtualClock } from '@liqo/testkit';
import {
  connectionTo,
  createCertificateAuthority,
  startConnectProxy,
  startFaultServer,
} from '@liqo/testkit/faults';
import { describe, expect, test } from 'vitest';
import { TransportClosedError } from '../transport.ts';
import { dial } from './dial.ts';
import { HttpTransport } from './http-transport.ts';
import { expiredCertificate } from './testing/expired-certificate.ts';
import { mirror, startTransportWorld } from './testing/transport-world.ts';

const get = { method: 'GET', path: '/' };

function proxyUrl({ port }: { port: number }, credentials = ''): URL {
  return new URL(`http://${credentials}127.0.0.1:${port}`);
}

/** Takes connections and does nothing with them, or what `greet` does. */
async function startMuteServer(greet: (socket: Socket) => void = () => undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.resume();
    greet(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`https://127.0.0.1:${port}`),
    sockets,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('dial() through a proxy', () => {
  test('reaches the server with HTTP/2 through the tunnel', async () => {
    await using proxy = await startConnectProxy();
    await using world = await startTransportWorld({}, { proxyUrl: proxyUrl(proxy) });
    await (await world.transport.send(get)).text();
    await (await world.transport.send(get)).text();
    expect(proxy.tunnels).toEqual([world.server.url.host]);
    await world.transport[Symbol.asyncDispose]();
    await eventually(() => expect(proxy.openTunnels).toBe(0));
  });

  test('reaches a server without TLS too', async () => {
    await using proxy = await startConnectProxy();
    await using world = await startTransportWorld(
      { speaks: 'http' },
      { proxyUrl: proxyUrl(proxy) },
    );
    await (await world.transport.send(get)).text();
    expect(proxy.tunnels).toEqual([world.server.url.host]);
  });

  test('names itself with the user name and password of the URL', async () => {
    await using proxy = await startConnectProxy({ credentials: 'ann:p@ss:word' });
    const url = proxyUrl(proxy, 'ann:p%40ss%3Aword@');
    await using world = await startTransportWorld({}, { proxyUrl: url });
    await (await world.transport.send(get)).text();
    expect(proxy.tunnels).toHaveLength(1);
  });

  test.each([
    ['that refuses', { refuseWith: 403 }, '', 'the proxy answered 403'],
    ['that wants a password', { credentials: 'ann:secret' }, '', 'the proxy answered 407'],
    ['that wants another', { credentials: 'ann:secret' }, 'ann:wrong@', 'the proxy answered 407'],
  ])('tells of a proxy %s, and shows no password', async (_, options, credentials, fact) => {
    await using proxy = await startConnectProxy(options);
    const url = proxyUrl(proxy, credentials);
    await using world = await startTransportWorld({}, { proxyUrl: url });
    const error = await rejection(world.transport.send(get));
    const { origin } = world.server.url;
    expect(error).toMatchObject({
      name: 'TransportError',
      sent: false,
      message: `Cannot reach ${origin} through the proxy 127.0.0.1:${proxy.port}: ${fact}`,
    });
    await eventually(() => expect(proxy.openTunnels).toBe(0));
  });

  test('gives up on a proxy that never answers', async () => {
    await using proxy = await startConnectProxy({ silent: true });
    await using world = await startTransportWorld({}, { proxyUrl: proxyUrl(proxy) });
    const failing = rejection(world.transport.send(get));
    await eventually(() => expect(proxy.tunnels).toHaveLength(1));
    await world.clock.advance(15_000);
    expect(await failing).toMatchObject({
      message: expect.stringMatching(/^Cannot reach .* through .*: no connection within 15 s$/),
      sent: false,
    });
    await eventually(() => expect(proxy.openTunnels).toBe(0));
  });
});

describe('dial() with TLS', () => {
  const failure = async (serverOptions: object, connection: object) => {
    await using world = await startTransportWorld(serverOptions, connection);
    const error = await rejection(world.transport.send(get));
    expect(error).toMatchObject({ name: 'TransportError', sent: false });
    return (error as Error).message.replace(world.server.url.origin, 'https://server');
  };

  test('refuses a certificate of another authority', async () => {
    const { certificate } = await createCertificateAuthority('stranger');
    expect(await failure({}, { authority: certificate })).toMatch(
      /^Cannot reach https:\/\/server: unable to (verify|get).*certificate$/,
    );
  });

  test('refuses a certificate for another name, unless that name is asked for', async () => {
    const authority = await createCertificateAuthority('authority');
    const certificate = await authority.issueServer('server', ['kubernetes.test']);
    expect(await failure({ authority, certificate }, {})).toMatch(
      /^Cannot reach https:\/\/server: .*does not match certificate.*127\.0\.0\.1/,
    );
    await using world = await startTransportWorld(
      { authority, certificate },
      { serverName: 'kubernetes.test' },
    );
    expect((await world.transport.send(get)).status).toBe(200);
  });

  test('refuses a certificate that is out of date', async () => {
    const options = { certificate: expiredCertificate };
    const connection = { authority: expiredCertificate.certificate };
    expect(await failure(options, connection)).toBe(
      'Cannot reach https://server: certificate has expired',
    );
  });

  test('tells when a server demands a certificate of the client', async () => {
    const { certificate } = await createCertificateAuthority('clients');
    await using world = await startTransportWorld({ clientAuthority: certificate });
    const error = await rejection(world.transport.send(get));
    expect(error).toMatchObject({ name: 'TransportError' });
    expect((error as Error).message).toMatch(/certificate required/);
  });
});

describe('dial()', () => {
  test('tells when nobody listens', async () => {
    const server = await startFaultServer({ serve: mirror });
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await using transport = new HttpTransport(connectionTo(url), new VirtualClock());
    expect(await rejection(transport.send(get))).toMatchObject({
      message: `Cannot reach ${url.origin}: connect ECONNREFUSED ${url.host}`,
      sent: false,
    });
  });

  test('tells when the server hangs up', async () => {
    await using mute = await startMuteServer((socket) => socket.end());
    await using transport = new HttpTransport(connectionTo(mute.url), new VirtualClock());
    const { message } = (await rejection(transport.send(get))) as Error;
    expect(message).toMatch(
      /^Cannot reach .*: (the server closed the connection|.*disconnected.*)/,
    );
  });

  test('begins anew when nothing comes of an attempt, long before it gives up', async () => {
    await using mute = await startMuteServer();
    const clock = new VirtualClock();
    const { hostname, port } = mute.url;
    const begun: Socket[] = [];
    // Greetings that get lost: such a socket waits for ever.
    const open = (to: { readonly host: string; readonly port: number }) => {
      const lost = Object.assign(new Socket(), { connecting: true });
      const socket = begun.length < 2 ? lost : connect(to);
      begun.push(socket);
      return socket;
    };
    const server = new URL(`http://${hostname}:${port}`);
    const dialled = dial({ server, proxyUrl: undefined, tls: {}, alpn: [], clock, open });
    await clock.advance(5_000);
    await clock.advance(5_000);
    const socket = await dialled;
    expect(begun.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
    expect(clock.pendingTimers).toBe(0);
    socket.destroy();
  });

  test('gives up on a server that never answers, and closes the connection', async () => {
    await using mute = await startMuteServer();
    const clock = new VirtualClock();
    await using transport = new HttpTransport(connectionTo(mute.url), clock);
    const failing = rejection(transport.send(get));
    await eventually(() => expect(mute.sockets.size).toBe(1));
    await clock.advance(15_000);
    expect(await failing).toMatchObject({
      message: `Cannot reach ${mute.url.origin}: no connection within 15 s`,
      sent: false,
    });
    await eventually(() => expect(mute.sockets.size).toBe(0));
    expect(clock.pendingTimers).toBe(0);
  });

  test.each(['send', 'upgrade'] as const)(
    'of a %s ends for a caller whose signal aborts, at once',
    async (verb) => {
      await using mute = await startMuteServer();
      await using transport = new HttpTransport(connectionTo(mute.url), new VirtualClock());
      const reason = new Error('enough');
      const controller = new AbortController();
      const failing = rejection(transport[verb](get, controller.signal));
      await eventually(() => expect(mute.sockets.size).toBe(1));
      controller.abort(reason);
      expect(await failing).toBe(reason);
    },
  );

  test.each(['send', 'upgrade'] as const)('of a %s ends with the transport', async (verb) => {
    await using mute = await startMuteServer();
    const clock = new VirtualClock();
    await using transport = new HttpTransport(connectionTo(mute.url), clock);
    const failing = rejection(transport[verb](get));
    await eventually(() => expect(mute.sockets.size).toBe(1));
    await transport[Symbol.asyncDispose]();
    expect(await failing).toBeInstanceOf(TransportClosedError);
    await eventually(() => expect(mute.sockets.size).toBe(0));
    expect(clock.pendingTimers).toBe(0);
  });

  test('of one caller serves the others, when that one gives up', async () => {
    await using world = await startTransportWorld();
    const controller = new AbortController();
    const failing = rejection(world.transport.send(get, controller.signal));
    const lucky = world.transport.send(get);
    controller.abort();
    await failing;
    expect((await lucky).status).toBe(200);
    expect(world.server.connectionsOpened).toBe(1);
  });
});

test('dial() connects to no reserved address that a name resolves to, if those are forbidden', async () => {
  await using server = await startMuteServer();
  const named = new URL(`http://localhost:${server.url.port}`);
  const options = {
    server: named,
    proxyUrl: undefined,
    tls: {},
    alpn: [],
    clock: new VirtualClock(),
  };
  const error = await rejection(dial({ ...options, reservedAddresses: 'forbidden' }));
  expect(String(error)).toMatch(/Cannot reach http:\/\/localhost:\d+: .* is a loopback address/);
  expect(server.sockets.size).toBe(0);
  (await dial({ ...options, reservedAddresses: 'allowed' })).destroy();
});

test('dial() asks no proxy at a reserved address, if those are forbidden', async () => {
  const options = {
    server: new URL('https://10.0.0.1'),
    tls: {},
    alpn: [],
    clock: new VirtualClock(),
  };
  const proxyUrl = new URL('http://localhost:1');
  const error = await rejection(dial({ ...options, proxyUrl, reservedAddresses: 'forbidden' }));
  expect(String(error)).toContain('is a loopback address');
});
