import {
  ConfigMap,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  Namespace,
  Pod,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** get, list, create, update, delete and deleteCollection of plain objects. */
export function verbs(subject: GetSubject): void {
  describe('verbs', () => {
    const make = async (name: string, labels: Record<string, string> = {}) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const object = { metadata: { namespace, name, labels }, data: { color: 'red' } };
      return {
        client,
        namespace,
        key: { namespace, name },
        made: await client.create(ConfigMap, object),
      };
    };

    test('create() gives back the stored object', async () => {
      const { made, namespace } = await make('one');
      expect(made).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: 'one', uid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        data: { color: 'red' },
      });
    });

    test('create() makes a name from generateName', async () => {
      const { client, namespace } = await make('one');
      const made = await client.create(ConfigMap, {
        metadata: { namespace, generateName: 'color-' },
      });
      expect(made.metadata.name).toMatch(/^color-[a-z0-9]{5}$/);
    });

    test('create() of an existing name is AlreadyExists', async () => {
      const { client, key } = await make('one');
      const error = await rejection(client.create(ConfigMap, { metadata: key }));
      expect(isAlreadyExists(error)).toBe(true);
      expect(isConflict(error)).toBe(false);
    });

    test('create() names the field it finds invalid', async () => {
      const { client, namespace } = await make('one');
      const error = await rejection(
        client.create(ConfigMap, { metadata: { namespace, name: 'A' } }),
      );
      expect(isInvalid(error)).toBe(true);
      expect(error).toMatchObject({ details: { causes: [{ field: 'metadata.name' }] } });
    });

    test('create() as a dry run stores nothing', async () => {
      const { client, namespace } = await make('one');
      const key = { namespace, name: 'two' };
      const dry = await client.create(ConfigMap, { metadata: key }, { dryRun: true });
      expect(dry.metadata.name).toBe('two');
      expect(await client.get(ConfigMap, key)).toBeUndefined();
    });

    test('create() with strict validation refuses an unknown field', async () => {
      const { client, namespace } = await make('one');
      const odd = { metadata: { namespace, name: 'odd' }, colour: 'red' };
      const error = await rejection(client.create(ConfigMap, odd, { fieldValidation: 'Strict' }));
      expect(error).toMatchObject({ code: 400, message: expect.stringContaining('colour') });
    });

    test('get() of an absent object is undefined', async () => {
      const { client, namespace } = await make('one');
      expect(await client.get(ConfigMap, { namespace, name: 'absent' })).toBeUndefined();
    });

    test('get() of a kind that is not served is an error', async () => {
      const { client, key } = await make('one');
      const NoSuchKind = { ...ConfigMap, group: 'nobody.example.org', plural: 'things' };
      expect(isNotFound(await rejection(client.get(NoSuchKind, key)))).toBe(true);
    });

    test('list() gives each object its kind, and the version of the collection', async () => {
      const { client, namespace, made } = await make('one');
      const list = await client.list(ConfigMap, { namespace, labelSelector: '!nothing' });
      expect(list.items.map((item) => item.metadata.name)).toEqual(['kube-root-ca.crt', 'one']);
      expect(list.items[1]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(BigInt(list.resourceVersion)).toBeGreaterThanOrEqual(
        BigInt(made.metadata.resourceVersion),
      );
    });

    test('list() selects by label and by field', async () => {
      const { client, namespace } = await make('red', { color: 'red', size: 'big' });
      await client.create(ConfigMap, {
        metadata: { namespace, name: 'blue', labels: { color: 'blue' } },
      });
      const names = async (selection: object) => {
        const { items } = await client.list(ConfigMap, { namespace, ...selection });
        return items.map((item) => item.metadata.name);
      };
      expect(await names({ labelSelector: 'color in (red,green)' })).toEqual(['red']);
      expect(await names({ labelSelector: 'color,!size' })).toEqual(['blue']);
      expect(await names({ fieldSelector: 'metadata.name=blue' })).toEqual(['blue']);
    });

    test('list() refuses a field that the kind cannot be selected by', async () => {
      const { client, namespace } = await make('one');
      const error = await rejection(
        client.list(ConfigMap, { namespace, fieldSelector: 'data.color=red' }),
      );
      expect(error).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    test('list() in pages is of one version, whatever changes meanwhile', async () => {
      const { client, namespace } = await make('one');
      const names = Array.from({ length: 7 }, (_, i) => `page-${i}`);
      const labels = { paged: 'yes' };
      for (const name of names)
        await client.create(ConfigMap, { metadata: { namespace, name, labels } });
      const seen: string[] = [];
      const versions = new Set<string>();
      for await (const page of client.pages(ConfigMap, {
        namespace,
        labelSelector: 'paged',
        pageSize: 3,
      })) {
        seen.push(...page.items.map((item) => item.metadata.name));
        versions.add(page.resourceVersion);
        await client.create(ConfigMap, {
          metadata: { namespace, generateName: 'page-9-', labels },
        });
      }
      expect(seen).toEqual(names);
      expect(versions.size).toBe(1);
    });

    test('list() refuses a continue token it did not issue', async () => {
      const { client, namespace } = await make('one');
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const error = await rejection(
        client.rawJson(path, undefined, { continue: 'garbage', limit: 1 }),
      );
      expect(error).toMatchObject({ code: 400 });
      expect(isExpired(error)).toBe(false);
    });

    test('update() replaces the object', async () => {
      const { client, made } = await make('one');
      const updated = await client.update(ConfigMap, { ...made, data: { color: 'blue' } });
      expect(updated.data).toEqual({ color: 'blue' });
      expect(updated.metadata.uid).toBe(made.metadata.uid);
      expect(updated.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    });

    test('update() of an older version is a conflict', async () => {
      const { client, made } = await make('one');
      await client.update(ConfigMap, { ...made, data: { color: 'blue' } });
      const error = await rejection(
        client.update(ConfigMap, { ...made, data: { color: 'green' } }),
      );
      expect(isConflict(error)).toBe(true);
    });

    test('update() that changes nothing keeps the version', async () => {
      const { client, made } = await make('one');
      const same = await client.update(ConfigMap, made);
      expect(same.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    });

    test('update() cannot take another UID', async () => {
      const { client, made } = await make('one');
      const { resourceVersion: _, ...metadata } = made.metadata;
      const impostor = { ...made, metadata: { ...metadata, uid: crypto.randomUUID() } };
      expect(isConflict(await rejection(client.update(ConfigMap, impostor)))).toBe(true);
    });

    test('update() needs no namespace in the object, and refuses another one', async () => {
      const { client, key, made } = await make('one');
      const path = `/api/v1/namespaces/${key.namespace}/configmaps/one`;
      const put = (metadata: object) =>
        client.raw({ method: 'PUT', path, body: JSON.stringify({ metadata, data: { b: '2' } }) });
      const answer = await put({ name: 'one' });
      expect(JSON.parse(await answer.text())).toMatchObject({
        metadata: { namespace: key.namespace, uid: made.metadata.uid },
      });
      expect(await rejection(put({ name: 'one', namespace: 'other' }))).toMatchObject({
        code: 400,
        message:
          'the namespace of the provided object does not match the namespace sent on the request',
      });
    });

    test('update() names an owner that is named twice once, and warns of it', async () => {
      const { client, made } = await make('one');
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'one', uid: made.metadata.uid };
      const ownerReferences = [owner, owner];
      const metadata = { ...made.metadata, ownerReferences };
      const { warnings } = subject();
      const before = warnings.length;
      const updated = await client.update(ConfigMap, { ...made, metadata }, { dryRun: true });
      expect(updated.metadata.ownerReferences).toEqual([owner]);
      expect(warnings.slice(before).join()).toContain(
        `contains duplicate entries; API server dedups owner references`,
      );
    });

    test('update() that takes off the last finalizer shows the version that was stored', async () => {
      const { client, made, key } = await make('one');
      const finalizers = ['example.org/wait'];
      await client.update(ConfigMap, { ...made, metadata: { ...made.metadata, finalizers } });
      const lingering = await client.delete(ConfigMap, key);
      const released = await client.update(ConfigMap, { metadata: key });
      expect(released.metadata.resourceVersion).toBe(lingering?.metadata.resourceVersion);
      expect(await client.get(ConfigMap, key)).toBeUndefined();
    });

    test('updateStatus() changes the status and nothing else', async () => {
      const { client, namespace } = await make('one');
      const containers = [{ name: 'main', image: 'example.org/app' }];
      const metadata = { namespace, name: 'pod' };
      const spec = { containers, schedulerName: 'nobody' };
      const pod = await client.create(Pod, { metadata, spec });
      const wanted = { ...pod.spec, containers, activeDeadlineSeconds: 5 };
      const status = { ...pod.status, message: 'hello' };
      const updated = await client.updateStatus(Pod, { ...pod, spec: wanted, status });
      expect(updated.status?.message).toBe('hello');
      expect(updated.spec?.activeDeadlineSeconds).toBeUndefined();
    });

    test('delete() removes the object', async () => {
      const { client, key } = await make('one');
      expect(await client.delete(ConfigMap, key)).toBeUndefined();
      expect(await client.get(ConfigMap, key)).toBeUndefined();
      expect(isNotFound(await rejection(client.delete(ConfigMap, key)))).toBe(true);
    });

    test('delete() of another UID or version is a conflict, and deletes nothing', async () => {
      const { client, key, made } = await make('one');
      for (const preconditions of [{ uid: crypto.randomUUID() }, { resourceVersion: '1' }]) {
        const error = await rejection(client.delete(ConfigMap, key, { preconditions }));
        expect(isConflict(error)).toBe(true);
      }
      const { uid, resourceVersion } = made.metadata;
      await client.delete(ConfigMap, key, { preconditions: { uid, resourceVersion } });
      expect(await client.get(ConfigMap, key)).toBeUndefined();
    });

    test('delete() as a dry run deletes nothing', async () => {
      const { client, key } = await make('one');
      await client.delete(ConfigMap, key, { dryRun: true });
      expect(await client.get(ConfigMap, key)).toBeDefined();
    });

    test('delete() waits for finalizers, and gives the lingering object back', async () => {
      const { client, made, key } = await make('one');
      const finalizers = ['example.org/wait'];
      await client.update(ConfigMap, { ...made, metadata: { ...made.metadata, finalizers } });
      const lingering = await client.delete(ConfigMap, key);
      expect(lingering?.metadata.deletionTimestamp).toBeDefined();
      const current = await client.get(ConfigMap, key);
      if (!current) throw new Error('The object is gone although it has a finalizer');
      await client.update(ConfigMap, {
        ...current,
        metadata: { ...current.metadata, finalizers: [] },
      });
      expect(await client.get(ConfigMap, key)).toBeUndefined();
    });

    test('deleteCollection() removes what is selected', async () => {
      const { client, namespace } = await make('red', { color: 'red' });
      await client.create(ConfigMap, {
        metadata: { namespace, name: 'blue', labels: { color: 'blue' } },
      });
      await client.deleteCollection(ConfigMap, { namespace, labelSelector: 'color=red' });
      const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'color' });
      expect(items.map((item) => item.metadata.name)).toEqual(['blue']);
    });

    test('namespaces that are being deleted take no new objects', async () => {
      const { client, namespace } = await make('one');
      const current = await client.get(ConfigMap, { namespace, name: 'one' });
      if (!current) throw new Error('The object that was just made is gone');
      const finalizers = ['example.org/hold'];
      await client.update(ConfigMap, { ...current, metadata: { ...current.metadata, finalizers } });
      await client.delete(Namespace, { name: namespace });
      const error = await rejection(
        client.create(ConfigMap, { metadata: { namespace, name: 'late' } }),
      );
      expect(error).toMatchObject({ code: 403, reason: 'Forbidden' });
      const held = await client.get(ConfigMap, { namespace, name: 'one' });
      if (!held) throw new Error('The held object is gone');
      await client.update(ConfigMap, { ...held, metadata: { ...held.metadata, finalizers: [] } });
    });
  });
}
