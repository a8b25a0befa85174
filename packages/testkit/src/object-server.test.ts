import {
  Client,
  ConfigMap,
  InProcessTransport,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  jsonPatch,
  mergePatch,
  Namespace,
  Pod,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import { ObjectServer } from './object-server.ts';
import { rejection } from './rejection.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

function start() {
  const clock = new VirtualClock();
  const server = new ObjectServer(clock);
  const transport = new InProcessTransport(server.serve);
  return { server, client: new Client({ transport, clock, random: seededRandom(1) }) };
}

const web = { metadata: { namespace: 'shop', name: 'web' } };

test('ObjectServer stores what is created and gives it back, alone and in lists', async () => {
  const { client, server } = start();
  const created = await client.create(ConfigMap, { ...web, data: { a: '1' } });
  expect(created.metadata).toMatchObject({ uid: expect.any(String), resourceVersion: '1' });
  expect(await client.get(ConfigMap, web.metadata)).toEqual(created);
  expect((await client.list(ConfigMap)).items).toEqual([created]);
  expect((await client.list(ConfigMap, { namespace: 'other' })).items).toEqual([]);
  expect(server.stored(ConfigMap, web.metadata)).toEqual(created);
  expect(server.all(ConfigMap)).toEqual([created]);
});

test('ObjectServer refuses to create twice, and to find what is not there', async () => {
  const { client } = start();
  await client.create(ConfigMap, web);
  expect(isAlreadyExists(await rejection(client.create(ConfigMap, web)))).toBe(true);
  expect(await client.get(ConfigMap, { namespace: 'shop', name: 'gone' })).toBeUndefined();
  expect(isNotFound(await rejection(client.delete(Pod, web.metadata)))).toBe(true);
});

test('ObjectServer refuses an update of an old version or of another object', async () => {
  const { client } = start();
  const first = await client.create(ConfigMap, web);
  const second = await client.update(ConfigMap, { ...first, data: { a: '2' } });
  expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
  expect(isConflict(await rejection(client.update(ConfigMap, first)))).toBe(true);
  const other = { metadata: { ...web.metadata, uid: 'other' } };
  expect(isConflict(await rejection(client.update(ConfigMap, other)))).toBe(true);
});

test('ObjectServer keeps the version when nothing changes', async () => {
  const { client } = start();
  const first = await client.create(ConfigMap, { ...web, data: { a: '1' } });
  expect(await client.update(ConfigMap, first)).toEqual(first);
  const patched = await client.patch(ConfigMap, web.metadata, mergePatch({ data: { a: '1' } }));
  expect(patched).toEqual(first);
});

test('ObjectServer patches, and takes a version in the patch for a lock', async () => {
  const { client } = start();
  const { metadata } = await client.create(ConfigMap, { ...web, data: { a: '1', b: '1' } });
  const { resourceVersion } = metadata;
  const merged = await client.patch(
    ConfigMap,
    web.metadata,
    mergePatch({ metadata: { resourceVersion }, data: { a: null, c: '3' } }),
  );
  expect(merged.data).toEqual({ b: '1', c: '3' });
  const stale = mergePatch({ metadata: { resourceVersion }, data: { c: '4' } });
  expect(isConflict(await rejection(client.patch(ConfigMap, web.metadata, stale)))).toBe(true);
  const steps = jsonPatch([{ op: 'remove', path: '/data/b' }]);
  expect((await client.patch(ConfigMap, web.metadata, steps)).data).toEqual({ c: '3' });
  const failing = jsonPatch([{ op: 'test', path: '/data/c', value: 'x' }]);
  expect(isInvalid(await rejection(client.patch(ConfigMap, web.metadata, failing)))).toBe(true);
});

test('ObjectServer writes a status through its subresource only', async () => {
  const { client } = start();
  const created = await client.create(Pod, { ...web, status: { phase: 'Running' } });
  expect(created.status).toBeUndefined();
  const updated = await client.updateStatus(Pod, { ...created, status: { phase: 'Running' } });
  expect(updated.status).toEqual({ phase: 'Running' });
  const main = await client.update(Pod, {
    ...updated,
    metadata: { ...updated.metadata, labels: { a: 'b' } },
    status: { phase: 'Failed' },
  });
  expect(main.status).toEqual({ phase: 'Running' });
});

test('ObjectServer keeps a deleted object until its last finalizer is gone', async () => {
  const { client, server } = start();
  const metadata = { ...web.metadata, finalizers: ['a'] };
  const created = await client.create(ConfigMap, { metadata });
  const lingering = await client.delete(ConfigMap, metadata);
  expect(lingering?.metadata.deletionTimestamp).toBeDefined();
  const late = mergePatch({ metadata: { finalizers: ['a', 'b'] } });
  expect(isInvalid(await rejection(client.patch(ConfigMap, metadata, late)))).toBe(true);
  await client.patch(ConfigMap, metadata, mergePatch({ metadata: { finalizers: null } }));
  expect(server.stored(ConfigMap, created.metadata)).toBeUndefined();
});

test('ObjectServer deletes only what the preconditions name', async () => {
  const { client, server } = start();
  const { metadata } = await client.create(ConfigMap, web);
  const other = client.delete(ConfigMap, metadata, { preconditions: { uid: 'other' } });
  expect(isConflict(await rejection(other))).toBe(true);
  await client.delete(ConfigMap, metadata, { preconditions: { uid: metadata.uid } });
  expect(server.all(ConfigMap)).toEqual([]);
});

test('ObjectServer tells a namespace from what is in it', async () => {
  const { client } = start();
  const created = await client.create(Namespace, { metadata: { name: 'shop' } });
  const status = { phase: 'Active' };
  expect((await client.updateStatus(Namespace, { ...created, status })).status).toEqual(status);
  expect(await client.get(Namespace, { name: 'shop' })).toMatchObject({ status });
});

test('ObjectServer refuses what it does not understand', async () => {
  const { client } = start();
  await expect(client.list(ConfigMap, { labelSelector: 'a=b' })).rejects.toThrow('labelSelector');
  await expect(client.rawJson('/version')).rejects.toThrow('No such path');
});
