import { type Client, Deployment, isConflict, mergePatch, type ObjectKey } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const subresource = 'scale' as const;

/** The scale subresource: what it shows, and who manages the number of replicas after it was written. */
export function scale(subject: GetSubject): void {
  describe('scale', () => {
    const make = async (replicas?: number) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'web' };
      const wanted = { metadata: key, spec: { ...forgeSpec(), ...(replicas && { replicas }) } };
      await client.apply(Deployment, wanted, { fieldManager: 'ada' });
      return { client, key };
    };
    const scaleTo = (client: Client, key: ObjectKey, replicas: number, fieldManager = 'bob') =>
      client.patch(Deployment, key, mergePatch({ spec: { replicas } }), {
        subresource,
        fieldManager,
      });

    test('is read and written on its own', async () => {
      const { client, key } = await make(1);
      const first = await client.getScale(Deployment, key);
      expect(first).toMatchObject({
        kind: 'Scale',
        spec: { replicas: 1 },
        status: { selector: 'app=web' },
      });
      const { resourceVersion: _, ...metadata } = first.metadata ?? {};
      await client.updateScale(Deployment, key, { ...first, metadata, spec: { replicas: 2 } });
      expect((await client.get(Deployment, key))?.spec?.replicas).toBe(2);
    });

    test('of an object that another one has replaced is a conflict', async () => {
      const { client, key } = await make(1);
      const metadata = { ...key, uid: crypto.randomUUID() };
      const wanted = { metadata, spec: { replicas: 2 } };
      const error = await rejection(client.updateScale(Deployment, key, wanted));
      expect(isConflict(error)).toBe(true);
      expect(String(error)).toContain(`UID in precondition: ${metadata.uid}`);
    });

    test('takes the number over from whoever managed it', async () => {
      const { client, key } = await make(1);
      await scaleTo(client, key, 2);
      expect(await managersOfReplicas(client, key)).toEqual(['bob Update scale']);
    });

    test('leaves a number alone that nobody manages', async () => {
      const { client, key } = await make();
      await scaleTo(client, key, 2);
      expect(await managersOfReplicas(client, key)).toEqual([]);
    });

    test('to none takes the number from everybody', async () => {
      const { client, key } = await make(1);
      await scaleTo(client, key, 2);
      await scaleTo(client, key, 0);
      expect(await managersOfReplicas(client, key)).toEqual([]);
      await scaleTo(client, key, 1);
      expect(await managersOfReplicas(client, key)).toEqual([]);
    });

    test('to the number there is leaves it to those who manage it', async () => {
      const { client, key } = await make(1);
      const patch = mergePatch({ spec: { replicas: 2 } });
      await client.patch(Deployment, key, patch, { fieldManager: 'eve' });
      await scaleTo(client, key, 2);
      expect(await managersOfReplicas(client, key)).toEqual(['eve Update']);
    });
  });
}

function forgeSpec() {
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'example.org/app' }];
  const template = { metadata: { labels }, spec: { containers } };
  return { selector: { matchLabels: labels }, template };
}

async function managersOfReplicas(client: Client, key: ObjectKey): Promise<readonly string[]> {
  const { metadata } = (await client.get(Deployment, key)) ?? {};
  const entries = metadata?.managedFields ?? [];
  return entries
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('"f:spec":{"f:replicas"'))
    .map(({ manager, operation, subresource: part }) => [manager, operation, part])
    .map((parts) => parts.filter((part) => part !== undefined).join(' '));
}
