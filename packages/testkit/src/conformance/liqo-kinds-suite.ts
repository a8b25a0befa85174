import { allKinds, forgeCustomResourceDefinition } from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  isInvalid,
  type Kind,
  type KubeObject,
  keyOf,
  type Stored,
} from '@liqo/kube';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { liqoKindDocuments } from './liqo-kinds.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** Our CustomResourceDefinitions, and what the server makes of good and bad objects of our kinds. */
export function liqoKinds(subject: GetSubject): void {
  describe('Liqo kinds', () => {
    const documents = liqoKindDocuments('liqo-kinds');
    const into = (namespace: string, object: KubeObject): KubeObject =>
      object.metadata?.namespace
        ? { ...object, metadata: { ...object.metadata, namespace } }
        : object;

    beforeAll(async () => {
      const { client, warnings } = subject();
      const before = warnings.length;
      await installLiqoKinds(client);
      expect(warnings.slice(before)).toEqual([]);
    });

    test.each(documents.valid)('$name is stored as it was written', async ({ kind, object }) => {
      const { client } = subject();
      const wanted = into(await freshNamespace(subject()), object);
      const stored = await client.create(kind, wanted, { fieldValidation: 'Strict' });
      const hasStatus = 'status' in wanted;
      const complete = hasStatus
        ? await client.updateStatus(kind, { ...wanted, metadata: stored.metadata })
        : stored;
      // The one field of a manifest that the server decides: people leave it as null.
      const { creationTimestamp } = stored.metadata;
      const metadata = { ...wanted.metadata, creationTimestamp };
      expect(complete).toMatchObject({ ...wanted, metadata });
      await client.delete(kind, keyOf(stored));
    });

    test.each(documents.invalid)('$name is refused: $path', async (row) => {
      const { client } = subject();
      const wanted = into(await freshNamespace(subject()), row.object);
      if (row.subresource === undefined) {
        expectRefusal(await rejection(client.create(row.kind, wanted)), row.path);
        return;
      }
      const stored = await client.create(row.kind, wanted);
      const withStatus = { ...wanted, metadata: stored.metadata };
      expectRefusal(await rejection(client.updateStatus(row.kind, withStatus)), row.path);
      await client.delete(row.kind, keyOf(stored));
    });

    test.each(documents.forbiddenChanges)('$name is refused: $path', async (row) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const before = await write(client, row, into(namespace, row.object));
      const after = { ...into(namespace, row.changed), metadata: before.metadata };
      const change =
        row.subresource === undefined
          ? client.update(row.kind, after)
          : client.updateStatus(row.kind, after);
      expectRefusal(await rejection(change), row.path);
      await client.delete(row.kind, keyOf(before));
    });

    test.each(documents.allowedChanges)('$kind.kind accepts $name', async (row) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const before = await write(client, row, into(namespace, row.object));
      const after = { ...into(namespace, row.changed), metadata: before.metadata };
      const stored = await client.update(row.kind, after);
      expect(stored.metadata.generation).toBe(2);
      await client.delete(row.kind, keyOf(before));
    });
  });
}

/** Applies all our CustomResourceDefinitions and waits until the server serves them. */
async function installLiqoKinds(client: Client): Promise<void> {
  const definitions = allKinds.map(forgeCustomResourceDefinition);
  await Promise.all(
    definitions.map((definition) =>
      client.apply(CustomResourceDefinition, definition, { force: true }),
    ),
  );
  await eventually(
    async () => {
      const { items } = await client.list(CustomResourceDefinition);
      const established = items.filter(isEstablished).map((item) => item.metadata.name);
      expect(established).toEqual(
        expect.arrayContaining(definitions.map((definition) => definition.metadata?.name)),
      );
      for (const kind of allKinds) await client.list(kind, { pageSize: 1 });
    },
    { timeoutMs: 30_000 },
  );
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  const conditions = status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

async function write(
  client: Client,
  row: { readonly kind: Kind; readonly subresource?: 'status' },
  object: KubeObject,
): Promise<Stored<KubeObject>> {
  const stored = await client.create(row.kind, object);
  if (row.subresource === undefined) return stored;
  return client.updateStatus(row.kind, { ...object, metadata: stored.metadata });
}

function expectRefusal(error: unknown, path: string): void {
  expect(isInvalid(error), String(error)).toBe(true);
  const { details } = error as { details?: { causes?: { field?: string }[] } };
  expect(details?.causes?.map((cause) => cause.field)).toContain(path);
}
