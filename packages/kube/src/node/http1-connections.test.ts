import { getEventListeners } from 'node:events';
import { eventually, rejection } from '@liqo/testkit';
import { createCertificateAuthority, cutAfter } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { TransportError, type TransportResponse } from '../transport.ts';
import { startTransportWorld } from './testing/transport-world.ts';

const get = (path: string) => ({ method: 'GET', path });
const any = () => true;

async function drain(response: TransportResponse): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.chunks()) bytes += chunk.length;
  return bytes;
}

test('HttpTransport falls back to HTTP/1.1, and keeps its connections alive', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  for (let n = 0; n < 20; n++) await (await transport.send(get(`/${n}`))).text();
  expect(server.requests).toHaveLength(20);
  // The first one learnt that the server does not speak HTTP/2.
  expect(server.connectionsOpened).toBe(2);
});

test('HttpTransport speaks HTTP/1.1 without TLS to a plain server', async () => {
  await using world = await startTransportWorld({ speaks: 'http' });
  const { transport, server } = world;
  const parallel = Array.from({ length: 5 }, (_, n) => transport.send(get(`/${n}`)));
  for (const response of await Promise.all(parallel)) await response.text();
  for (let n = 0; n < 5; n++) await (await transport.send(get(`/${n}`))).text();
  expect(server.connectionsOpened).toBe(5);
});

test('HttpTransport opens many connections at a time without a warning of Node', async () => {
  await using world = await startTransportWorld({ speaks: 'http' });
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const parallel = Array.from({ length: 30 }, (_, n) => world.transport.send(get(`/${n}`)));
  for (const response of await Promise.all(parallel)) await response.text();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(world.server.connectionsOpened).toBe(30);
});

test('Http1Connections sends the bodies of every method', async () => {
  await using world = await startTransportWorld({ speaks: 'http' });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await world.transport.send({ method, path: '/x', body: '{"é":1}' });
    expect(JSON.parse(await answer.text())).toMatchObject({ method, body: '{"é":1}' });
  }
  const bytes = { method: 'DELETE', path: '/x', body: Buffer.from('ünï') };
  const answer = await world.transport.send(bytes);
  expect(JSON.parse(await answer.text())).toMatchObject({ body: 'ünï' });
  const bare = await world.transport.send({ method: 'DELETE', path: '/x' });
  expect(JSON.parse(await bare.text())).not.toHaveProperty('body');
  expect(world.server.connectionsOpened).toBe(1);
});

test.each([
  ['closed', 'close'],
  ['reset', 'reset'],
] as const)(
  'Http1Connections never takes a body of a %s connection for a whole one',
  async (_, how) => {
    await using world = await startTransportWorld({ speaks: 'http/1.1' });
    const { transport, server } = world;
    const text = (response: TransportResponse): Promise<unknown> => response.text();
    for (const read of [text, drain]) {
      server.script.next(any, cutAfter(1_000, how));
      const error = await rejection(transport.send(get('/bytes/5000')).then(read));
      expect(error).toMatchObject({ name: 'TransportError', sent: true });
    }
  },
);

test('Http1Connections rejects a body whose connection was lost before anybody read it', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  const [text, chunks] = [
    await transport.send(get('/endless')),
    await transport.send(get('/endless')),
  ];
  server.resetConnections();
  await eventually(() => expect(server.openRequests).toBe(0));
  await (await transport.send(get('/'))).text();
  expect(await rejection(text.text())).toBeInstanceOf(TransportError);
  expect(await rejection(drain(chunks))).toBeInstanceOf(TransportError);
});

test('Http1Connections survives that the server closes idle connections', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  for (let n = 0; n < 3; n++) {
    await (await transport.send(get('/'))).text();
    server.resetConnections();
    await eventually(() => expect(server.openConnections).toBe(0));
  }
  expect(server.requests).toHaveLength(3);
});

test('Http1Connections ends with the reason of the signal, before the headers and within the body', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  server.script.next(any, { holdHeaders: new Promise(() => undefined) });
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
});

test('Http1Connections leaves nothing attached to a signal that outlives the request', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n++) await (await world.transport.send(get('/'), signal)).text();
  await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
});

test('Http1Connections ends a discarded body and one whose reader stops', async () => {
  await using world = await startTransportWorld({ speaks: 'http/1.1' });
  const { transport, server } = world;
  (await transport.send(get('/endless'))).discard();
  for await (const chunk of (await transport.send(get('/endless'))).chunks()) {
    expect(chunk.toString()).toBe('first');
    break;
  }
  await eventually(() => expect(server.openRequests).toBe(0));
});

test('HttpTransport opens HTTP/1.1 connections anew when the client certificate changed', async () => {
  const authority = await createCertificateAuthority('clients');
  let client = await authority.issueClient({ name: 'ann', groups: [] });
  await using world = await startTransportWorld(
    { speaks: 'http/1.1', clientAuthority: authority.certificate },
    { identity: () => ({ client }) },
  );
  const { transport, server } = world;
  await (await transport.send(get('/'))).text();
  const watch = await transport.send(get('/endless'));
  expect(server.connectionsOpened).toBe(2);
  client = await authority.issueClient({ name: 'ann', groups: [] });
  await (await transport.send(get('/'))).text();
  expect(server.connectionsOpened).toBe(3);
  await eventually(() => expect(server.openConnections).toBe(2));
  const chunks = watch.chunks()[Symbol.asyncIterator]();
  expect((await chunks.next()).value?.toString()).toBe('first');
});
