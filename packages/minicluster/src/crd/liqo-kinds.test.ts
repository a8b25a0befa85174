import { readdirSync, readFileSync } from 'node:fs';
import type { CustomResourceDefinition, KubeObject } from '@liqo/kube';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { liqoKindDocuments } from '../../../testkit/src/conformance/liqo-kinds.ts';
import type { FieldProblem } from '../rest/refusal.ts';
import type { Resource } from '../rest/resource.ts';
import type { Item } from '../store/collection.ts';
import { buildResources } from './build-resources.ts';
import { validateDefinition } from './definition/validate-definition.ts';
import { planStatus } from './plan-definition.ts';

const folder = new URL('../../../../charts/liqo/crds/', import.meta.url);
const definitions = readdirSync(folder).map(
  (file) => load(readFileSync(new URL(file, folder), 'utf8')) as CustomResourceDefinition,
);
const resources = new Map(
  definitions.flatMap(buildResources).map((resource) => [resource.kind, resource]),
);
const documents = liqoKindDocuments('somewhere');

function resourceOf(kind: string): Resource {
  const resource = resources.get(kind);
  if (!resource) throw new Error(`Cannot find the definition of "${kind}"`);
  return resource;
}

/** As a write reads it: pruned, then defaulted. */
function read(resource: Resource, object: KubeObject): KubeObject {
  const decoded = resource.decode?.(object).object as KubeObject;
  return resource.strategy.withDefaults?.(decoded) ?? decoded;
}

function fieldsOf(problems: readonly FieldProblem[] | undefined): string[] {
  return (problems ?? []).map(({ field }) => field);
}

describe('the Liqo kinds', () => {
  test.each(definitions)('$metadata.name is a sound definition', (crd) => {
    const stored = { ...crd, status: { storedVersions: [crd.spec.versions[0]?.name] } };
    expect(validateDefinition(stored as CustomResourceDefinition)).toEqual([]);
  });

  test.each(definitions)('$metadata.name gets its names, and is established', (crd) => {
    const named = { ...crd, status: planStatus(crd, [], '2026-01-01T00:00:00Z') };
    const status = planStatus(named as CustomResourceDefinition, [], '2026-01-01T00:00:00Z');
    expect(status?.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ]);
  });

  test.each(documents.valid)('$name is valid, and keeps all of its fields', ({ kind, object }) => {
    const resource = resourceOf(kind.kind);
    const decoded = read(resource, object);
    const { metadata: _, ...content } = object;
    expect(decoded).toMatchObject(content);
    expect(resource.decode?.(object).unknownFields).toEqual([]);
    expect(resource.strategy.validate?.(decoded)).toEqual([]);
  });

  test.each(documents.invalid)('$name is refused: $path', ({ kind, object, path, subresource }) => {
    const resource = resourceOf(kind.kind);
    const { strategy } = resource;
    const decoded = read(resource, object);
    const problems = subresource
      ? strategy.validateStatusUpdate?.(decoded, strategy.onCreate?.(decoded) as Item)
      : strategy.validate?.(decoded);
    expect(fieldsOf(problems)).toContain(path);
  });

  test.each(documents.forbiddenChanges)('$name is refused: $path', (row) => {
    const resource = resourceOf(row.kind.kind);
    const { validateUpdate, validateStatusUpdate } = resource.strategy;
    const validate = row.subresource ? validateStatusUpdate : validateUpdate;
    const metadata = { ...row.changed.metadata, resourceVersion: '1' };
    const changed = read(resource, { ...row.changed, metadata });
    const problems = validate?.(changed, read(resource, row.object) as Item);
    expect(fieldsOf(problems)).toContain(row.path);
  });

  test.each(documents.allowedChanges)('$kind.kind accepts $name', ({ kind, object, changed }) => {
    const resource = resourceOf(kind.kind);
    const metadata = { ...changed.metadata, resourceVersion: '1' };
    const after = read(resource, { ...changed, metadata });
    expect(resource.strategy.validateUpdate?.(after, read(resource, object) as Item)).toEqual([]);
  });
});
