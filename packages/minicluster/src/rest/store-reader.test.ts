import { Client, ConfigMap, defineKind, InProcessTransport, Namespace, Pod } from '@liqo/kube';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AssembledServer, assembleServer } from '../api-server.ts';
import { serveAs } from '../intercept-calls.ts';

let server: AssembledServer;
/** Reads the same over the API. */
let client: Client;
beforeEach(async () => {
  const surroundings = { clock: new VirtualClock(), random: seededRandom(1) };
  const peer = { name: 'test', groups: ['system:masters'], extra: {} };
  server = assembleServer({ ...surroundings, serverAddress: () => 'localhost:6443' });
  const transport = new InProcessTransport(serveAs(server.server, peer));
  client = new Client({ ...surroundings, transport });
  for (const name of ['shop', 'bank']) await client.create(Namespace, { metadata: { name } });
  for (const name of ['one', 'two']) await createIn('shop', name);
  await createIn('bank', 'three');
});

const createIn = (namespace: string, name: string) =>
  client.create(ConfigMap, { metadata: { namespace, name, labels: { name } } });

describe('StoreReader', () => {
  test('gets what the API shows, and nothing where it shows nothing', async () => {
    const key = { namespace: 'bank', name: 'three' };
    expect(await server.reader.get(ConfigMap, key)).toEqual(await client.get(ConfigMap, key));
    expect(await server.reader.get(ConfigMap, { ...key, name: 'none' })).toBeUndefined();
  });

  test.each([
    {},
    { namespace: 'shop' },
    { labelSelector: 'name in (one, three)' },
    { fieldSelector: 'metadata.name=two' },
  ])('lists what the API lists: %j', async (selection) => {
    const read = await server.reader.list(ConfigMap, selection);
    expect(read).toEqual(await client.list(ConfigMap, selection));
    expect(read.items.length).toBeGreaterThan(0);
  });

  test('follows what comes after a version, as far as it is selected', async () => {
    const { resourceVersion } = await server.reader.list(ConfigMap);
    const options = { resourceVersion, labelSelector: 'name!=skipped' };
    const events = server.reader.watch(ConfigMap, options);
    await createIn('bank', 'skipped');
    await createIn('bank', 'four');
    await client.delete(ConfigMap, { namespace: 'shop', name: 'one' });
    const seen = [await events.next(), await events.next()].map(({ value }) => value);
    expect(seen).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'four' } } },
      { type: 'DELETED', object: { metadata: { name: 'one' } } },
    ]);
    await events.return();
  });

  test('ends a watch when its reader has had enough', async () => {
    const { resourceVersion } = await server.reader.list(ConfigMap);
    const stop = new AbortController();
    const events = server.reader.watch(ConfigMap, { resourceVersion }, stop.signal);
    const next = events.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('says so when the version is forgotten', async () => {
    const { resourceVersion } = await server.reader.list(ConfigMap);
    await createIn('bank', 'four');
    server.store.compact();
    const events = server.reader.watch(ConfigMap, { resourceVersion });
    expect(await rejection(events.next())).toMatchObject({ code: 410 });
  });

  test('refuses kinds that the server does not serve', async () => {
    const Unknown = defineKind({
      apiVersion: 'example.org/v1',
      kind: 'Unknown',
      plural: 'unknowns',
      scope: 'Cluster',
    });
    expect(await rejection(server.reader.list(Unknown))).toMatchObject({ code: 404 });
    expect((await server.reader.list(Pod)).items).toEqual([]);
  });

  test('reads nothing for whoever has given up', async () => {
    const signal = AbortSignal.abort();
    const key = { namespace: 'bank', name: 'three' };
    expect(await rejection(server.reader.get(ConfigMap, key, { signal }))).toBe(signal.reason);
    expect(await rejection(server.reader.list(ConfigMap, { signal }))).toBe(signal.reason);
  });
});
