import { describe, expect, test } from 'vitest';
import { allKinds } from './all-kinds.ts';
import { forgeCustomResourceDefinition } from './custom-resource-definition.ts';
import type { StructuralSchema } from './schema.ts';
import { violations } from './violations.ts';

/** Every schema inside a schema, with its path. */
function* walk(schema: StructuralSchema, path: string): Generator<[string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* walk(field, `${path}.${name}`);
  }
  if (schema.items) yield* walk(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* walk(schema.additionalProperties, `${path}{}`);
}

const nodes = allKinds.flatMap((kind) => {
  const [version] = forgeCustomResourceDefinition(kind).spec.versions;
  const root: StructuralSchema = JSON.parse(JSON.stringify(version?.schema?.openAPIV3Schema));
  return [...walk(root, kind.kind)];
});

function pathsWhere(isWrong: (schema: StructuralSchema) => boolean): string[] {
  return nodes.filter(([, schema]) => isWrong(schema)).map(([path]) => path);
}

describe('the schemas of the CRDs', () => {
  test('are all there', () => {
    expect(nodes.length).toBeGreaterThan(800);
  });

  test('say the type of everything', () => {
    expect(pathsWhere((s) => !s.type && !s['x-kubernetes-int-or-string'])).toEqual([]);
  });

  test('never give the type of what may be a number or text', () => {
    expect(pathsWhere((s) => Boolean(s.type && s['x-kubernetes-int-or-string']))).toEqual([]);
  });

  test('never mix known fields and free keys', () => {
    expect(pathsWhere((s) => Boolean(s.properties && s.additionalProperties))).toEqual([]);
  });

  test('say of every list what is in it, and of every object what it holds', () => {
    expect(pathsWhere((s) => s.type === 'array' && !s.items)).toEqual([]);
    const isOpaque = (s: StructuralSchema) =>
      s.type === 'object' &&
      !s.properties &&
      !s.additionalProperties &&
      !s['x-kubernetes-preserve-unknown-fields'];
    expect(pathsWhere(isOpaque)).toEqual(allKinds.map(({ kind }) => `${kind}.metadata`));
  });

  test('demand only fields that exist, and none that has a default', () => {
    const isUnknown = (s: StructuralSchema, name: string) => {
      const field = s.properties?.[name];
      return field === undefined || field.default !== undefined;
    };
    expect(pathsWhere((s) => s.required?.some((name) => isUnknown(s, name)) ?? false)).toEqual([]);
  });

  test('have the keys of a map list among the required fields of its items', () => {
    const lacksKey = (s: StructuralSchema) =>
      s['x-kubernetes-list-map-keys']?.some((key) => !s.items?.required?.includes(key)) ?? false;
    expect(pathsWhere(lacksKey)).toEqual([]);
  });

  test('have defaults that they admit', () => {
    const isWrong = (s: StructuralSchema) =>
      s.default !== undefined && violations(s, s.default).length > 0;
    expect(pathsWhere(isWrong)).toEqual([]);
  });

  test('have patterns that compile', () => {
    for (const [, { pattern }] of nodes) {
      if (pattern !== undefined) expect(() => new RegExp(pattern)).not.toThrow();
    }
  });

  test('have rules that blame a field that exists', () => {
    const isLost = (s: StructuralSchema) =>
      s['x-kubernetes-validations']?.some(
        ({ fieldPath }) => fieldPath !== undefined && !s.properties?.[fieldPath.slice(1)],
      ) ?? false;
    expect(pathsWhere(isLost)).toEqual([]);
  });
});
