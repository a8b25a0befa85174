import { expect, test } from 'vitest';
import { builtInSchemas } from './built-in-schemas.ts';
import { customSchemas } from './custom-schemas.ts';
import { decodeObject } from './decode.ts';
import { propertyOf, Schemas, type TypeSchema } from './type-schema.ts';

test.each([
  ['', 'v1', 'Pod'],
  ['', 'v1', 'Binding'],
  ['apps', 'v1', 'StatefulSet'],
  ['autoscaling', 'v1', 'Scale'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['policy', 'v1', 'Eviction'],
  ['authentication.k8s.io', 'v1', 'TokenRequest'],
  ['rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding'],
  ['events.k8s.io', 'v1', 'Event'],
])('builtInSchemas() has the type of %s/%s %s', (group, version, kind) => {
  expect(builtInSchemas().ofKind(group, version, kind)?.properties).toHaveProperty('metadata');
});

test('ofKind() knows no kind by another group or version', () => {
  expect(builtInSchemas().ofKind('apps', 'v1', 'Pod')).toBeUndefined();
  expect(builtInSchemas().ofKind('', 'v2', 'Pod')).toBeUndefined();
});

test('every reference in the built-in types leads somewhere, and no prose is left', () => {
  const schemas = builtInSchemas();
  const visit = (node: TypeSchema): void => {
    const {
      properties = {},
      items,
      additionalProperties,
    } = schemas.resolve(node) === node ? node : {};
    expect(typeof node.default === 'string' || !('description' in node)).toBe(true);
    for (const property of Object.values(properties)) visit(property);
    if (items) visit(items);
    if (typeof additionalProperties === 'object') visit(additionalProperties);
  };
  for (const name of schemas.names) visit(schemas.definition(name) ?? {});
});

test('resolve() follows a reference, alone or wrapped, and nothing else', () => {
  const definition: TypeSchema = { type: 'string' };
  const schemas = new Schemas({ Name: definition });
  const reference = { $ref: '#/components/schemas/Name' };
  expect(schemas.resolve(reference)).toBe(definition);
  expect(schemas.resolve({ allOf: [reference], default: '' })).toBe(definition);
  expect(schemas.resolve(definition)).toBe(definition);
  expect(() => schemas.resolve({ $ref: '#/components/schemas/Other' })).toThrow(
    'Cannot resolve type "Other": there is no such definition',
  );
});

test('propertyOf() does not take what every object has for a property', () => {
  expect(propertyOf({ properties: {} }, 'constructor')).toBeUndefined();
});

test('customSchemas() gives every object its metadata, embedded ones too', () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const { schemas, schema } = customSchemas({ type: 'object', properties: { template: embedded } });
  const body = {
    metadata: { name: 'x', bogus: 1 },
    template: { metadata: { labels: {} } },
    other: 1,
  };
  expect(decodeObject(schemas, schema, body)).toEqual({
    object: { metadata: { name: 'x' }, template: { metadata: {} } },
    unknownFields: ['metadata.bogus', 'other'],
  });
});

test('customSchemas() takes any field where there is no schema', () => {
  const { schemas, schema } = customSchemas();
  const body = { metadata: { name: 'x' }, spec: { any: { thing: [1] } } };
  expect(decodeObject(schemas, schema, body)).toEqual({ object: body, unknownFields: [] });
});
