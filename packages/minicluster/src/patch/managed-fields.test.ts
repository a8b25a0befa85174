import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { decodeObject } from '../schema/decode.ts';
import { fieldSetOf } from './field-set.ts';
import { recordUpdate, type Writer } from './managed-fields.ts';
import { keepTimesIfUnchanged } from './unchanged-times.ts';

const schemas = builtInSchemas();
const pods = schemas.ofKind('', 'v1', 'Pod') ?? {};
const noon = '2026-01-01T12:00:00Z';
const later = '2026-01-01T13:00:00Z';

function writer(manager: string, more: Partial<Writer> = {}): Writer {
  return { manager, apiVersion: 'v1', time: noon, ...more };
}

function pod(content: object): KubeObject {
  return decodeObject(schemas, pods, { metadata: { name: 'x', uid: 'u' }, ...content })
    .object as KubeObject;
}

function managersOf(object: KubeObject) {
  return (object.metadata?.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]);
}

test('recordUpdate() gives the creator what it set, and nobody what the server always has', () => {
  const created = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer('a'),
  );
  expect(created.metadata?.managedFields).toEqual([
    {
      manager: 'a',
      operation: 'Update',
      apiVersion: 'v1',
      time: noon,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:hostname': {} } },
    },
  ]);
});

test('recordUpdate() hands a changed field over, and drops who has nothing left', () => {
  const created = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer('a'),
  );
  const updated = recordUpdate(
    schemas,
    pods,
    created,
    pod({ spec: { hostname: 'i' } }),
    writer('b'),
  );
  expect(managersOf(updated)).toEqual([['b', { 'f:spec': { 'f:hostname': {} } }]]);
});

test('recordUpdate() keeps a manager of the status apart from one of the object', () => {
  const created = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer('a'),
  );
  const running = pod({ spec: { hostname: 'h' }, status: { phase: 'Running' } });
  const updated = recordUpdate(
    schemas,
    pods,
    created,
    running,
    writer('a', { subresource: 'status' }),
  );
  expect(updated.metadata?.managedFields).toMatchObject([
    { manager: 'a', fieldsV1: { 'f:spec': { 'f:hostname': {} } } },
    { manager: 'a', subresource: 'status', fieldsV1: { 'f:status': { 'f:phase': {} } } },
  ]);
});

test('recordUpdate() leaves alone what the caller says is put back', () => {
  const by = writer('a', { resetFields: fieldSetOf([['spec']]) });
  expect(
    recordUpdate(schemas, pods, undefined, pod({ spec: { hostname: 'h' } }), by).metadata,
  ).not.toHaveProperty('managedFields');
});

test('recordUpdate() calls a manager without a name unknown', () => {
  const created = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer(''),
  );
  expect(managersOf(created)[0]?.[0]).toBe('unknown');
});

test('recordUpdate() does not begin to track an object that nobody manages', () => {
  const updated = recordUpdate(
    schemas,
    pods,
    pod({}),
    pod({ spec: { hostname: 'h' } }),
    writer('a'),
  );
  expect(updated.metadata).not.toHaveProperty('managedFields');
});

test('keepTimesIfUnchanged() reverts times that are the only change', () => {
  const before = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer('a'),
  );
  const restamped = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'h' } }),
    writer('a', { time: later }),
  );
  expect(keepTimesIfUnchanged(before, restamped)).toEqual(before);
  const changed = recordUpdate(
    schemas,
    pods,
    undefined,
    pod({ spec: { hostname: 'i' } }),
    writer('a', { time: later }),
  );
  expect(keepTimesIfUnchanged(before, changed)).toBe(changed);
});
