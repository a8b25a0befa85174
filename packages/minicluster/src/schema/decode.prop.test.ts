import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInSchemas } from './built-in-schemas.ts';
import { decodeObject } from './decode.ts';
import { DecodeError } from './decode-error.ts';
import { definitionName, type TypeSchema } from './type-schema.ts';

const schemas = builtInSchemas();
const kinds = [
  ['', 'v1', 'Pod'],
  ['apps', 'v1', 'Deployment'],
  ['', 'v1', 'Service'],
  ['networking.k8s.io', 'v1', 'Ingress'],
  ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'],
] as const;

const scalars = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    '1',
    '1000m',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000001Z',
    'YQ==',
  ),
  fc.integer({ min: -1, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);

/** A value that mostly fits the type. */
function valuesOf(node: TypeSchema, depth: number): fc.Arbitrary<unknown> {
  const name = definitionName(node);
  const schema = schemas.resolve(node);
  if (depth === 0 || (name !== undefined && !schema.properties)) return scalars;
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, depth);
    case 'array':
      return fc.array(
        fc.constant(schema.items ?? {}).chain((item) => valuesOf(item, depth - 1)),
        { maxLength: 2 },
      );
    case 'string':
      return fc.constantFrom('', 'x', 'YQ==');
    case 'integer':
      return fc.integer({ min: 0, max: 2 });
    case 'boolean':
      return fc.boolean();
    default:
      return scalars;
  }
}

function objectsOf(schema: TypeSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, additionalProperties: element } = schema;
  if (typeof element === 'object') {
    return fc.dictionary(fc.constantFrom('k', 'l'), valuesOf(element, depth - 1), { maxKeys: 2 });
  }
  const names = Object.keys(properties);
  if (names.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 4 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map((name) => [name, valuesOf(properties[name] ?? {}, depth - 1)]),
        ),
      ),
    );
}

const cases = fc.constantFrom(...kinds).chain(([group, version, kind]) => {
  const schema = schemas.ofKind(group, version, kind) ?? {};
  return valuesOf(schema, 7).map((value) => ({ schema, value }));
});

test('what was decoded decodes to itself', () => {
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      const decoded = tryDecode(schema, value);
      fc.pre(decoded !== undefined);
      expect(decodeObject(schemas, schema, decoded)).toEqual({
        object: decoded,
        unknownFields: [],
      });
    }),
    { numRuns: 200 },
  );
});

function tryDecode(schema: TypeSchema, value: unknown): unknown {
  try {
    return decodeObject(schemas, schema, value).object;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

test.each([
  ['a null in a map of schemas or lists of names stays', { dependencies: { k: null } }],
  [
    'an empty list in such a map is nothing',
    { dependencies: { k: [] } },
    { dependencies: { k: null } },
  ],
  ['items that are no schema are none', { items: '' }, {}],
  ['items without any schema are none', { items: [] }, {}],
])('%s', (_, written, read = written) => {
  expect(decodeSchema(written)).toEqual(read);
  expect(decodeSchema(read)).toEqual(read);
});

function decodeSchema(openAPIV3Schema: object): unknown {
  const schema = schemas.ofKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') ?? {};
  const versions = [{ name: '', served: false, storage: false, schema: { openAPIV3Schema } }];
  const definition = { spec: { group: '', names: {}, scope: '', versions } };
  const { object } = decodeObject(schemas, schema, definition);
  return (object as typeof definition).spec.versions[0]?.schema.openAPIV3Schema;
}
