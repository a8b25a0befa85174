import { expect, test } from 'vitest';
import widgetVectors from '../patch/server-side-apply.vectors.json' with { type: 'json' };
import { builtInSchemas } from './built-in-schemas.ts';
import { customSchemas } from './custom-schemas.ts';
import { decodeObject } from './decode.ts';
// What kube-apiserver 1.35.4 said of these bodies, and what it stored of those it took.
import vectors from './decode.vectors.json' with { type: 'json' };
import { DecodeError } from './decode-error.ts';
import type { TypeSchema } from './type-schema.ts';

type Refused = [group: string, version: string, kind: string, body: object, message: string];
type Accepted = [
  ...kind: [string, string, string],
  body: object,
  stored: object,
  unknown: string[],
];

const refused = vectors.refused.map((text): Refused => JSON.parse(text));
const accepted = vectors.accepted.map((text): Accepted => JSON.parse(text));
const widget = customSchemas(JSON.parse(widgetVectors.widget) as TypeSchema);

function schemasOf(group: string, version: string, kind: string) {
  if (kind === 'Widget') return widget;
  const schema = builtInSchemas().ofKind(group, version, kind);
  if (!schema) throw new Error(`Cannot find kind "${kind}"`);
  return { schemas: builtInSchemas(), schema };
}

test.each(refused.map((vector) => [vector[4], vector] as const))(
  'decodeObject() refuses as the API server does: %s',
  (message, [group, version, kind, body]) => {
    const { schemas, schema } = schemasOf(group, version, kind);
    expect(() => decodeObject(schemas, schema, body)).toThrow(new DecodeError(message));
  },
);

test.each(accepted.map((vector) => [vector[2], vector] as const))(
  'decodeObject() makes of a %s what the API server makes of it',
  (_, [group, version, kind, body, stored, unknown]) => {
    const { schemas, schema } = schemasOf(group, version, kind);
    const { object, unknownFields } = decodeObject(schemas, schema, body);
    expect(object).toEqual(stored);
    expect(unknownFields).toEqual(unknown);
  },
);

const deployments = builtInSchemas().ofKind('apps', 'v1', 'Deployment') ?? {};
const decodeDeployment = (body: object, source?: 'body' | 'strategic-merge') =>
  decodeObject(builtInSchemas(), deployments, body, source);

test('decodeObject() shows what is always there, even of nothing', () => {
  expect(decodeDeployment({}).object).toEqual({
    metadata: {},
    spec: {
      selector: null,
      strategy: {},
      template: { metadata: {}, spec: { containers: null } },
    },
    status: {},
  });
});

test('decodeObject() keeps a false that is not the same as nothing, and only that', () => {
  const spec = { template: { spec: { hostNetwork: false, automountServiceAccountToken: false } } };
  expect(decodeDeployment({ spec }).object).toMatchObject({
    spec: { template: { spec: { automountServiceAccountToken: false } } },
  });
  expect(decodeDeployment({ spec }).object).not.toHaveProperty('spec.template.spec.hostNetwork');
});

test('decodeObject() does not know fields by names that every object has', () => {
  const body = JSON.parse('{"constructor":1,"spec":{"__proto__":{},"toString":1}}');
  expect(decodeDeployment(body).unknownFields).toEqual([
    'constructor',
    'spec.__proto__',
    'spec.toString',
  ]);
});

test.each([
  [{ spec: { replicas: '3' } }, 'unrecognized type: int32'],
  [{ spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
  [{ metadata: { labels: { a: 1 } } }, 'cannot convert int64 to string'],
  [{ metadata: { labels: ['a'] } }, 'cannot restore map from slice'],
  [{ metadata: 'x' }, 'cannot restore struct from: string'],
  [{ spec: { template: { spec: { containers: {} } } } }, 'cannot restore slice from map'],
  [
    { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
    'json: cannot unmarshal bool into Go value of type int32',
  ],
])('decodeObject() has other words for what a conversion meets: %j', (body, message) => {
  expect(() => decodeDeployment(body, 'strategic-merge')).toThrow(new DecodeError(message));
});

test('decodeObject() sorts the unknown fields a conversion meets, and cuts its numbers to size', () => {
  const { object, unknownFields } = decodeDeployment(
    { z: 1, a: 1, spec: { replicas: 2 ** 32 + 7 } },
    'strategic-merge',
  );
  expect(unknownFields).toEqual(['a', 'z']);
  expect(object).toMatchObject({ spec: { replicas: 7 } });
});

test('decodeObject() reads a schema in a schema, and whatever else may stand there', () => {
  const crds =
    builtInSchemas().ofKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') ?? {};
  const openAPIV3Schema = {
    properties: {
      free: { additionalProperties: true },
      typed: { additionalProperties: { type: 'string', bogus: 1 }, default: { any: [1] } },
      list: { items: { minimum: 0 }, enum: [1, null, 'x'] },
    },
  };
  const spec = { versions: [{ schema: { openAPIV3Schema } }], names: {} };
  const { object } = decodeObject(builtInSchemas(), crds, { spec });
  expect(object).toMatchObject({
    spec: {
      versions: [
        {
          schema: {
            openAPIV3Schema: {
              properties: {
                free: { additionalProperties: true },
                typed: { additionalProperties: { type: 'string' }, default: { any: [1] } },
                list: { items: { minimum: 0 }, enum: [1, null, 'x'] },
              },
            },
          },
        },
      ],
    },
  });
  expect(object).not.toHaveProperty(
    'spec.versions.0.schema.openAPIV3Schema.properties.typed.additionalProperties.bogus',
  );
});

test('decodeObject() shares with the value what is canonical already', () => {
  const pod = builtInSchemas().ofKind('', 'v1', 'Pod') ?? {};
  const canonical = {
    metadata: { name: 'a', labels: { b: 'c' } },
    spec: { containers: null },
    status: {},
  };
  const once = decodeObject(builtInSchemas(), pod, canonical).object as typeof canonical;
  expect(once.metadata.labels).toBe(canonical.metadata.labels);
  const changed = { ...once, metadata: { ...once.metadata, unknown: 1 } };
  const twice = decodeObject(builtInSchemas(), pod, changed).object as typeof canonical;
  expect(twice).toEqual(once);
  expect(twice.status).toBe(once.status);
});
