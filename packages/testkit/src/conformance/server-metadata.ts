import {
  ConfigMap,
  Deployment,
  isConflict,
  isInvalid,
  type JsonObject,
  Lease,
  mergePatch,
  Pod,
  type Stored,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const hold = 'example.org/hold';

/** What a server makes of the metadata that is its own, and of finalizers, whoever writes them. */
export function serverMetadata(subject: GetSubject): void {
  describe('metadata', () => {
    const make = async (metadata: object = {}) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'one' };
      const made = await client.create(ConfigMap, { metadata: { ...metadata, ...key } });
      return { client, key, made };
    };

    test('a finalizer has a domain, except on the kinds that never asked for one', async () => {
      const { client, key } = await make();
      const patch = mergePatch({ metadata: { finalizers: ['bad'] } });
      expect(await rejection(client.patch(ConfigMap, key, patch))).toMatchObject({
        code: 422,
        message:
          'ConfigMap "one" is invalid: metadata.finalizers[0]: Invalid value: "bad": name is neither a standard finalizer name nor is it fully qualified',
      });
      const lease = await client.create(Lease, { metadata: { ...key, finalizers: ['bad'] } });
      expect(lease.metadata.finalizers).toEqual(['bad']);
      await client.patch(Lease, key, mergePatch({ metadata: { finalizers: null } }));
    });

    test('once an object is deleted, finalizers only leave', async () => {
      const { client, key } = await make({ finalizers: [hold, `${hold}-more`] });
      await client.delete(ConfigMap, key);
      const change = (finalizers: readonly string[]) =>
        client.patch(ConfigMap, key, mergePatch({ metadata: { finalizers: [...finalizers] } }));
      expect(await rejection(change([hold, 'example.org/late']))).toMatchObject({
        code: 422,
        message: expect.stringContaining(
          'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.org/late"}',
        ),
      });
      expect((await change([hold])).metadata.finalizers).toEqual([hold]);
      await change([]);
      expect(await client.get(ConfigMap, key)).toBeUndefined();
    });

    test('the generation counts changes of the spec and the deletion, whatever clients say', async () => {
      const { client, key } = await make();
      const metadata = { ...key, generation: 77, finalizers: [hold] };
      const made = await client.create(Deployment, { metadata, spec: forgeSpec() });
      expect(made.metadata.generation).toBe(1);
      const patched = (change: JsonObject) => client.patch(Deployment, key, mergePatch(change));
      const labelled = await patched({ metadata: { generation: 77, labels: { a: 'b' } } });
      expect(labelled.metadata.generation).toBe(1);
      expect((await patched({ spec: { paused: true } })).metadata.generation).toBe(2);
      const deleted = await client.delete(Deployment, key);
      expect(deleted?.metadata.generation).toBe(3);
      await patched({ metadata: { finalizers: null } });
    });

    test.each([[[]], [[{}]]])(
      'managedFields of %j forget who wrote what',
      async (managedFields) => {
        const { client, key } = await make({ labels: { a: 'b' } });
        const patch = mergePatch({ metadata: { managedFields } });
        const forgotten = await client.patch(ConfigMap, key, patch);
        expect(forgotten.metadata.managedFields).toBeUndefined();
      },
    );

    test('another UID is a conflict in an update and a fault in a patch', async () => {
      const { client, key, made } = await make();
      const uid = crypto.randomUUID();
      const { resourceVersion: _, ...metadata } = made.metadata;
      const update = client.update(ConfigMap, { ...made, metadata: { ...metadata, uid } });
      expect(isConflict(await rejection(update))).toBe(true);
      const patch = client.patch(ConfigMap, key, mergePatch({ metadata: { uid } }));
      expect(isInvalid(await rejection(patch))).toBe(true);
    });

    test('kinds that insist on a version in an update ask for it after they looked at the UID', async () => {
      const { client, key } = await make();
      const { metadata } = await client.create(Lease, { metadata: key });
      const update = (uid: string) => client.update(Lease, { metadata: { ...key, uid } });
      expect(await rejection(update(metadata.uid))).toMatchObject({
        code: 422,
        details: { causes: [{ field: 'metadata.resourceVersion' }] },
      });
      expect(isConflict(await rejection(update(crypto.randomUUID())))).toBe(true);
    });

    test('a resourceVersion that is no number takes the server by surprise', async () => {
      const { client, made } = await make();
      const metadata = { ...made.metadata, resourceVersion: 'old' };
      expect(await rejection(client.update(ConfigMap, { ...made, metadata }))).toMatchObject({
        code: 500,
        message: expect.stringContaining('strconv.ParseUint: parsing "old": invalid syntax'),
      });
    });

    test('a deletion is hastened by another one, and never put off', async () => {
      const { client, key } = await make();
      await makeBoundPod(subject, key);
      const deleteWithin = async (gracePeriodSeconds: number) => {
        const pod: Stored<Pod> | undefined = await client.delete(Pod, key, { gracePeriodSeconds });
        return pod?.metadata.deletionGracePeriodSeconds;
      };
      expect(await deleteWithin(30)).toBe(30);
      expect(await deleteWithin(60)).toBe(30);
      expect(await deleteWithin(5)).toBe(5);
      expect(await deleteWithin(0)).toBeUndefined();
      expect(await client.get(Pod, key)).toBeUndefined();
    });

    test('a policy for dependents that nobody knows is refused', async () => {
      const { client, key } = await make();
      const path = `/api/v1/namespaces/${key.namespace}/configmaps/one`;
      const body = JSON.stringify({ propagationPolicy: 'Whatever' });
      expect(await rejection(client.raw({ method: 'DELETE', path, body }))).toMatchObject({
        code: 422,
        details: {
          causes: [
            {
              field: 'propagationPolicy',
              message:
                'Unsupported value: "Whatever": supported values: "Foreground", "Background", "Orphan", "nil"',
            },
          ],
        },
      });
      expect(await client.get(ConfigMap, key)).toBeDefined();
    });
  });
}

function forgeSpec() {
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'example.org/app' }];
  const template = { metadata: { labels }, spec: { containers } };
  return { replicas: 0, selector: { matchLabels: labels }, template };
}

type Place = { readonly namespace: string; readonly name: string };

/** On a node that nobody runs: its deletion waits for somebody to confirm it. */
async function makeBoundPod(subject: GetSubject, key: Place): Promise<void> {
  const { client } = subject();
  const containers = [{ name: 'main', image: 'example.org/app' }];
  await client.create(Pod, { metadata: key, spec: { containers, schedulerName: 'nobody' } });
  await client.bind(key, fresh('nowhere'));
}
