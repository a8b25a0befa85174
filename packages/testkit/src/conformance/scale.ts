import {
  type Client,
  Deployment,
  isConflict,
  jsonPatch,
  mergePatch,
  type ObjectKey,
  type Patch,
} from '@liqo/kube';
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

    test('of none has no number, which a JSON patch may replace all the same', async () => {
      const { client, key } = await make(1);
      await scaleTo(client, key, 0);
      expect((await client.getScale(Deployment, key)).spec).toEqual({});
      const patch = jsonPatch([{ op: 'replace', path: '/spec/replicas', value: 3 }]);
      await client.patch(Deployment, key, patch, { subresource });
      expect((await client.get(Deployment, key))?.spec?.replicas).toBe(3);
    });

    test.each<[string, Patch, number, string]>([
      [
        'does not apply',
        jsonPatch([{ op: 'test', path: '/spec/replicas', value: 7 }]),
        422,
        'the server rejected our request due to an error in our request',
      ],
      ['sets no number', mergePatch({ spec: { replicas: 'x' } }), 422, 'cannot unmarshal string'],
      ['sets a part', mergePatch({ spec: { replicas: 1.5 } }), 422, 'cannot unmarshal number 1.5'],
      ['renames', mergePatch({ metadata: { name: 'other' } }), 400, 'name on the URL (web)'],
    ])('is not changed by a patch that %s', async (_, patch, code, message) => {
      const { client, key } = await make(1);
      expect(await rejection(client.patch(Deployment, key, patch, { subresource }))).toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
      expect((await client.get(Deployment, key))?.spec?.replicas).toBe(1);
    });

    test('is not changed by a patch in a form that nobody knows', async () => {
      const { client, key } = await make(1);
      const patch = { ...mergePatch({ spec: { replicas: 2 } }), contentType: 'text/plain' };
      const refused = client.patch(Deployment, key, patch as Patch, { subresource });
      expect(await rejection(refused)).toMatchObject({ code: 415 });
    });

    test('is not changed by the scale of another object', async () => {
      const { client, key } = await make(1);
      const wanted = { metadata: { ...key, name: 'other' }, spec: { replicas: 2 } };
      expect(await rejection(client.updateScale(Deployment, key, wanted))).toMatchObject({
        code: 400,
        message: 'the name of the object (other) does not match the name on the URL (web)',
      });
    });

    test('says which fields it does not have', async () => {
      const { client, key } = await make(1);
      const { warnings } = subject();
      const before = warnings.length;
      await client.patch(Deployment, key, mergePatch({ spec: { size: 2 } }), { subresource });
      expect(warnings.slice(before)).toEqual(['unknown field "spec.size"']);
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
