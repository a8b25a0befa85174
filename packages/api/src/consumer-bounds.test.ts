import { describe, expect, test } from 'vitest';
import { Renew } from './authentication/renew.ts';
import { ResourceSlice } from './authentication/resource-slice.ts';
import { Tenant } from './authentication/tenant.ts';
import { NamespaceMap } from './offloading/namespace-map.ts';
import { ShadowEndpointSlice } from './offloading/shadow-endpoint-slice.ts';
import { ShadowPod } from './offloading/shadow-pod.ts';
import type { StructuralSchema } from './schema.ts';
import { Advertisement } from './sharing/advertisement.ts';
import { violations } from './violations.ts';

/** The paths of texts, lists and maps that may be as large as a request. Fields of Kubernetes that are kept whole are not seen. */
function unbounded(schema: StructuralSchema, path: string): string[] {
  const { type, items, properties = {}, additionalProperties } = schema;
  const isText = type === 'string' && !schema.enum && schema.maxLength === undefined;
  const isList = type === 'array' && schema.maxItems === undefined;
  const isMap = additionalProperties !== undefined && schema.maxProperties === undefined;
  return [
    ...(isText || isList || isMap ? [path] : []),
    ...Object.entries(properties).flatMap(([name, field]) => unbounded(field, `${path}.${name}`)),
    ...(items ? unbounded(items, `${path}[]`) : []),
    ...(additionalProperties ? unbounded(additionalProperties, `${path}{}`) : []),
  ];
}

test.each([NamespaceMap, Renew, ResourceSlice, ShadowEndpointSlice, ShadowPod, Tenant])(
  'what a consumer writes into a $kind is bounded',
  ({ definition }) => {
    expect(unbounded(definition.spec, 'spec')).toEqual([]);
  },
);

test('what a provider writes into an Advertisement is bounded', () => {
  expect(unbounded(Advertisement.definition.spec, 'spec')).toEqual([]);
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, `n${i}-rome`]));

describe('a consumer that floods its provider', () => {
  test.each([
    ['40,000 namespaces', NamespaceMap, { desiredMapping: many(40_000) }],
    ['the name of a megabyte', NamespaceMap, { desiredMapping: { shop: 'x'.repeat(1e6) } }],
    ['a request of a megabyte', ResourceSlice, { csr: 'a'.repeat(1e6) }],
    ['10,000 resources', ResourceSlice, { resources: many(10_000) }],
    ['10,000 tolerations', ShadowPod, { pod: pod({ tolerations: Array(10_000).fill({}) }) }],
    ['10,000 volumes', ShadowPod, { pod: pod({ volumes: Array(10_000).fill({ name: 'x' }) }) }],
    ['10,000 containers', ShadowPod, { pod: { containers: Array(10_000).fill({ name: 'x' }) } }],
  ])('cannot store %s', (_, { definition }, spec) => {
    expect(violations(definition.spec, spec)).not.toEqual([]);
  });

  test('can store as much as Liqo ever does', () => {
    const volumes = Array.from({ length: 200 }, (_, i) => ({ name: `v${i}`, emptyDir: {} }));
    const tolerations = Array(50).fill({ key: 'a', operator: 'Exists' });
    const containers = Array.from({ length: 50 }, (_, i) => ({ name: `c${i}`, image: 'i' }));
    const whole = { pod: { containers, volumes, tolerations, hostname: 'x' } };
    expect(violations(ShadowPod.definition.spec, whole)).toEqual([]);
    const mapping = { desiredMapping: many(2_000) };
    expect(violations(NamespaceMap.definition.spec, mapping)).toEqual([]);
  });
});

function pod(more: object) {
  return { containers: [{ name: 'web' }], ...more };
}
