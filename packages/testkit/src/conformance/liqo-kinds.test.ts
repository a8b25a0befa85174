import { allKinds } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { withField } from './liqo-kind-document.ts';
import { liqoKindDocuments } from './liqo-kinds.ts';

const { valid, invalid, forbiddenChanges } = liqoKindDocuments('somewhere');

describe('liqoKindDocuments()', () => {
  test('has a valid document of every kind', () => {
    expect(new Set(valid.map(({ kind }) => kind))).toEqual(new Set(allKinds));
  });

  test('has at least sixty invalid documents, each with a name of its own', () => {
    const names = invalid.map(({ kind, name }) => `${kind.kind}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  test.each(invalid)('makes $kind.kind with $name differ from the valid one', (document) => {
    const sample = valid.find(({ kind }) => kind === document.kind);
    expect(document.object).not.toEqual(sample?.object);
  });

  test.each(forbiddenChanges)('changes something in $kind.kind: $name', ({ object, changed }) => {
    expect(changed).not.toEqual(object);
  });

  test('puts only documents of namespaced kinds into the namespace', () => {
    for (const { kind, object } of valid) {
      expect(object.metadata?.namespace).toBe(kind.namespaced ? 'somewhere' : undefined);
    }
  });
});

describe('withField()', () => {
  const content = { spec: { list: [{ a: 1 }, { a: 2 }], text: 'x' } };

  test('replaces a value inside a list and leaves the rest', () => {
    expect(withField(content, 'spec.list[1].a', 3)).toEqual({
      spec: { list: [{ a: 1 }, { a: 3 }], text: 'x' },
    });
  });

  test('makes the objects on the way to a new field', () => {
    expect(withField({}, 'spec.deep.field', true)).toEqual({ spec: { deep: { field: true } } });
  });

  test('leaves out a field that gets no value', () => {
    expect(withField(content, 'spec.text', undefined)).toEqual({
      spec: { list: content.spec.list },
    });
  });
});
