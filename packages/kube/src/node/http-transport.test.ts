import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually, rejection } from '@liqo/testkit';
import { connectionTo, createCertificateAuthority } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { ResponseTooLargeError } from '../response-limits.ts';
import { TransportClosedError, type TransportResponse } from '../transport.ts';
import { HttpTransport } from './http-transport.ts';
import { endless, startTransportWorld } from './testing/transport-world.ts';

const get = (path: string) => ({ method: 'GET', path });

async function seen(response: Promise<TransportResponse>) {
  return JSON.parse(await (await response).text());
}

test('send() takes one connection for 2,000 requests', async () => {
  await using world = await startTransportWorld();
  const { transport, server } = world;
  for (let batch = 0; batch < 40; batch++) {
    const answers = Array.from({ length: 50 }, (_, n) => transport.send(get(`/${batch}/${n}`)));
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
    expect(texts.every((text, n) => text.includes(`/${batch}/${n}`))).toBe(true);
  }
  expect(server.requests).toHaveLength(2_000);
  expect(server.connectionsOpened).toBe(1);
});

test.each([
  ['HTTP/2', {}],
  ['HTTP/1.1', { speaks: 'http/1.1' as const }],
])(
  'text() gives up on a body without an end, and other calls go on, over %s',
  async (_, options) => {
    await using world = await startTransportWorld(options);
    const { transport } = world;
    const flood = await transport.send(get('/flood'));
    expect(await rejection(flood.text())).toBeInstanceOf(ResponseTooLargeError);
    expect(await seen(transport.send(get('/after')))).toMatchObject({ path: '/after' });
  },
);

test('send() opens another connection when every stream of the first is taken', async () => {
  await using world = await startTransportWorld({ maxConcurrentStreams: 4 });
  const { transport, server } = world;
  for (let n = 0; n < 4; n++) await transport.send(get('/endless'));
  expect(server.connectionsOpened).toBe(1);
  expect(await seen(transport.send(get('/one')))).toMatchObject({ path: '/one' });
  expect(await seen(transport.send(get('/two')))).toMatchObject({ path: '/two' });
  expect(server.connectionsOpened).toBe(2);
});

test('send() spreads many endless answers that are asked for at once', async () => {
  await using world = await startTransportWorld({ maxConcurrentStreams: 4 });
  const { transport, server } = world;
  const answers = Array.from({ length: 11 }, () => transport.send(get('/endless')));
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(server.connectionsOpened).toBe(3);
});

test('send() leaves a connection that was told to go away, and lets its open answers end in peace', async () => {
  await using world = await startTransportWorld();
  const { transport, server } = world;
  const old = await transport.send(get('/endless'));
  server.goAway();
  await eventually(async () => {
    await seen(transport.send(get('/')));
    expect(server.connectionsOpened).toBe(2);
  });
  const chunks = old.chunks()[Symbol.asyncIterator]();
  expect((await chunks.next()).value?.toString()).toBe('first');
  expect(server.openRequests).toBe(1);
});

test('asyncDispose ends the answers of connections that were told to go away', async () => {
  await using world = await startTransportWorld();
  const { transport, server } = world;
  const old = await transport.send(get('/endless'));
  server.goAway();
  await eventually(async () => {
    await seen(transport.send(get('/')));
    expect(server.connectionsOpened).toBe(2);
  });
  await transport[Symbol.asyncDispose]();
  expect(await rejection(old.text())).toBeInstanceOf(TransportClosedError);
});

test('send() puts the path of the server in front', async () => {
  await using world = await startTransportWorld();
  const { server } = world;
  const url = new URL('/k8s/clusters/c-1/', server.url);
  await using transport = new HttpTransport(
    connectionTo(url, { authority: server.authority }),
    world.clock,
  );
  const { path } = await seen(transport.send(get('/api/v1/pods?limit=1')));
  expect(path).toBe('/k8s/clusters/c-1/api/v1/pods?limit=1');
});

test('send() authenticates every request, and sends a list as a header of several lines', async () => {
  let headers: Record<string, string | string[]> = { authorization: 'Bearer one' };
  await using world = await startTransportWorld({}, { identity: () => ({ headers }) });
  const { transport, server } = world;
  expect(await seen(transport.send(get('/')))).toMatchObject({ headers });
  headers = { authorization: 'Bearer two', 'impersonate-group': ['a', 'b'] };
  const { headers: sent } = await seen(transport.send(get('/')));
  expect(sent).toMatchObject({ authorization: 'Bearer two', 'impersonate-group': 'a, b' });
  expect(server.connectionsOpened).toBe(1);
});

test('send() shows the client certificate of today, on a new connection when it has changed', async () => {
  const authority = await createCertificateAuthority('clients');
  const client = await authority.issueClient({ name: 'ann', groups: [] });
  const renewed = await authority.issueClient({ name: 'ann', groups: [] });
  let today = client;
  await using world = await startTransportWorld(
    { clientAuthority: authority.certificate },
    { identity: () => ({ client: today }) },
  );
  const { transport, server } = world;
  const watch = await transport.send(get('/endless'));
  today = renewed;
  await seen(transport.send(get('/')));
  await seen(transport.send(get('/')));
  expect(server.connectionsOpened).toBe(2);
  const chunks = watch.chunks()[Symbol.asyncIterator]();
  expect((await chunks.next()).value?.toString()).toBe('first');
});

test('send() does not use a connection that was begun with the client certificate of before', async () => {
  const authority = await createCertificateAuthority('clients');
  const before = await authority.issueClient({ name: 'ann', groups: [] });
  const after = await authority.issueClient({ name: 'ann', groups: [] });
  let today = before;
  await using world = await startTransportWorld(
    { clientAuthority: authority.certificate },
    { identity: () => ({ client: today }) },
  );
  const early = seen(world.transport.send(get('/early')));
  await eventually(() => expect(world.server.connectionsOpened).toBe(1), { intervalMs: 0 });
  today = after;
  const late = seen(world.transport.send(get('/late')));
  expect([await early, await late]).toMatchObject([{ path: '/early' }, { path: '/late' }]);
  await eventually(() => expect(world.server.openConnections).toBe(1));
  expect(world.server.connectionsOpened).toBe(2);
});

test('send() repeats a request once with new credentials when the server says 401', async () => {
  let token = 'stale';
  await using world = await startTransportWorld(
    {
      serve: async ({ headers }) =>
        headers?.authorization === 'fresh'
          ? { status: 200, body: 'welcome' }
          : { status: 401, body: 'no' },
    },
    {
      identity: () => ({ headers: { authorization: token } }),
      onUnauthorized: async () => {
        token = 'fresh';
        return true;
      },
    },
  );
  const response = await world.transport.send({ method: 'POST', path: '/', body: '{}' });
  expect([response.status, await response.text()]).toEqual([200, 'welcome']);
  expect(world.server.requests).toMatchObject([{ body: '{}' }, { body: '{}' }]);
});

test('send() repeats it once only, and not at all when there are no other credentials', async () => {
  let worthIt = true;
  await using world = await startTransportWorld(
    { serve: async () => ({ status: 401, body: 'no' }) },
    { onUnauthorized: async () => worthIt },
  );
  const { transport, server } = world;
  expect(await (await transport.send(get('/'))).text()).toBe('no');
  expect(server.requests).toHaveLength(2);
  worthIt = false;
  expect(await (await transport.send(get('/'))).text()).toBe('no');
  expect(server.requests).toHaveLength(3);
});

test('send() gives up at once when its signal has aborted already', async () => {
  await using world = await startTransportWorld();
  const reason = new Error('enough');
  const gone = AbortSignal.abort(reason);
  expect(await rejection(world.transport.send(get('/'), gone))).toBe(reason);
  expect(await rejection(world.transport.upgrade(get('/'), gone))).toBe(reason);
  await nextTurn();
  expect(world.server.connectionsOpened).toBe(0);
});

test('send() after asyncDispose is refused', async () => {
  await using world = await startTransportWorld();
  await world.transport[Symbol.asyncDispose]();
  const error = await rejection(world.transport.send(get('/')));
  expect(error).toBeInstanceOf(TransportClosedError);
  expect(await rejection(world.transport.upgrade(get('/')))).toBeInstanceOf(TransportClosedError);
});

test('send() leaves nothing open when there is trouble with new credentials', async () => {
  const trouble = new Error('the plugin failed');
  await using world = await startTransportWorld(
    { serve: async (_, signal) => ({ status: 401, body: endless(signal) }) },
    { onUnauthorized: () => Promise.reject(trouble) },
  );
  expect(await rejection(world.transport.send(get('/')))).toBe(trouble);
  await eventually(() => expect(world.server.openRequests).toBe(0));
});

test.each(['h2', 'http/1.1'] as const)(
  'asyncDispose ends what is under way over %s',
  async (speaks) => {
    await using world = await startTransportWorld({ speaks });
    const { transport, server } = world;
    server.script.next(() => true, { holdHeaders: new Promise(() => undefined) });
    const failing = rejection(transport.send({ method: 'POST', path: '/', body: '{}' }));
    await eventually(() => expect(server.openRequests).toBe(1));
    await transport[Symbol.asyncDispose]();
    expect(await failing).toBeInstanceOf(TransportClosedError);
  },
);

test('send() does not even dial for a caller who gave up while there were no credentials yet', async () => {
  await using world = await startTransportWorld();
  const controller = new AbortController();
  const credentials = async () => {
    controller.abort(new Error('enough'));
    return { headers: {}, tlsGeneration: 1 };
  };
  const tls = () => expect.unreachable();
  const connection = { ...connectionTo(world.server.url), credentials, tls };
  await using transport = new HttpTransport(connection, world.clock);
  const error = await rejection(transport.send(get('/'), controller.signal));
  expect(error).toBe(controller.signal.reason);
});

test.each(['h2', 'http/1.1', 'http'] as const)(
  'send() over %s keeps a request back when beforeSending throws once the connection is open',
  async (speaks) => {
    await using world = await startTransportWorld({ speaks });
    const { transport, server } = world;
    let mayLeave = true;
    const beforeSending = () => {
      if (!mayLeave) throw new Error('too late');
    };
    const write = { method: 'POST', path: '/x', body: '{}', beforeSending };
    const waiting = transport.send(write);
    mayLeave = false;
    await expect(waiting).rejects.toThrow('too late');
    await expect(transport.send(write)).rejects.toThrow('too late');
    expect(server.requests).toEqual([]);
    mayLeave = true;
    expect((await transport.send(write)).status).toBe(200);
  },
);

test('upgrade() keeps a request back when beforeSending throws once the connection is open', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  let mayLeave = true;
  const beforeSending = () => {
    if (!mayLeave) throw new Error('too late');
  };
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const waiting = transport.upgrade({ method: 'POST', path: '/x', headers, beforeSending });
  mayLeave = false;
  await expect(waiting).rejects.toThrow('too late');
  expect(server.requests).toEqual([]);
});
