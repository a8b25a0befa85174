import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  boolean,
  type Infer,
  integer,
  list,
  map,
  object,
  preserved,
  quantity,
  type StructuralSchema,
  settledOnceSet,
  string,
  stringEnum,
  withDefault,
  withFieldDefaults,
} from './schema.ts';
import { violations } from './violations.ts';

describe('object()', () => {
  test('demands the required fields, except those that the server can fill in', () => {
    const schema = object({
      required: { name: string(), phase: withDefault(string(), 'Pending') },
      optional: { size: integer() },
    });
    expect(schema.required).toEqual(['name']);
    expect(Object.keys(schema.properties ?? {})).toEqual(['name', 'phase', 'size']);
  });

  test('has no empty lists: a server takes them for a mistake', () => {
    expect(object({})).toEqual({ type: 'object', properties: {} });
  });

  test('compares an immutable field that is always there', () => {
    expect(rulesOf(object({ required: { id: string() }, immutable: ['id'] }))).toEqual([
      { rule: 'self.id == oldSelf.id', message: 'id is immutable', fieldPath: '.id' },
    ]);
  });

  test('also forbids to add and to remove an immutable field that is optional', () => {
    expect(rulesOf(object({ optional: { id: string() }, immutable: ['id'] }))).toEqual([
      {
        rule: 'has(self.id) == has(oldSelf.id) && (!has(self.id) || self.id == oldSelf.id)',
        message: 'id is immutable',
        fieldPath: '.id',
      },
    ]);
  });

  test('lets a field that is set once be filled in later, and forbids to change and to remove it', () => {
    expect(rulesOf(object({ optional: { id: string() }, setOnce: ['id'] }))).toEqual([
      {
        rule: '!has(oldSelf.id) || (has(self.id) && self.id == oldSelf.id)',
        message: 'id is immutable once it is set',
        fieldPath: '.id',
      },
    ]);
  });

  test('keeps its own rules beside those', () => {
    const later = { rule: 'self.a < self.b', message: 'a must come before b' };
    const schema = object({ required: { a: integer(), b: integer() }, rules: [later] });
    expect(rulesOf(schema)).toEqual([later]);
  });
});

describe('quantity()', () => {
  test.each([
    0,
    110,
    '0',
    '4',
    '+4',
    '1.5',
    '.5',
    '5.',
    '100m',
    '8Gi',
    '10k',
    '1e3',
    '1E-3',
    '2Ei',
  ])('admits %j', (value) => expect(violations(quantity(), value)).toEqual([]));

  test.each([-1, 1.5, '', '-1', '-8Gi', '8GB', '1.2.3', 'four', '4 ', '1e', 'Gi', true, null])(
    'refuses %j',
    (value) => expect(violations(quantity(), value)).toEqual(['']),
  );
});

describe('withFieldDefaults()', () => {
  test('spells the defaults of the fields out, at every depth', () => {
    const inner = object({
      required: { size: withDefault(integer(), 3) },
      optional: { a: string() },
    });
    const outer = object({ required: { inner: withFieldDefaults(inner), name: string() } });
    expect(withFieldDefaults(outer).default).toEqual({ inner: { size: 3 } });
  });
});

describe('settledOnceSet()', () => {
  test('compares values, and so says nothing about a field that comes or goes', () => {
    expect(rulesOf(settledOnceSet(string()))).toMatchObject([{ rule: 'self == oldSelf' }]);
  });
});

describe('preserved()', () => {
  test('checks what it knows and keeps what it does not', () => {
    const schema = preserved(object({ required: { name: string() } }));
    expect(violations(schema, { name: 'web', other: 1 })).toEqual([]);
    expect(violations(schema, { other: 1 })).toEqual(['name']);
  });
});

describe('Infer', () => {
  test('is the type of the values that the schema admits', () => {
    const schema = object({
      required: { phase: stringEnum('Pending', 'Ready'), enabled: boolean() },
      optional: { sizes: map(quantity()), names: list(string()), reason: string<'A' | 'B'>() },
    });
    expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{
      readonly phase: 'Pending' | 'Ready';
      readonly enabled: boolean;
      readonly sizes?: { readonly [key: string]: string | number };
      readonly names?: string[];
      readonly reason?: 'A' | 'B';
    }>();
  });
});

function rulesOf(schema: StructuralSchema) {
  return schema['x-kubernetes-validations'];
}
