import { ApiError, type KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { customSchemas } from '../schema/custom-schemas.ts';
import type { TypeSchema } from '../schema/type-schema.ts';
import { recordUpdate } from './managed-fields.ts';
import { withRecordedDefaults } from './recorded-defaults.ts';
import { type Applier, applyConfiguration } from './server-side-apply.ts';
// What kube-apiserver 1.35.4 answered to programs of applies and updates, some written by hand, most at random.
import vectors from './server-side-apply.vectors.json' with { type: 'json' };
import { keepTimesIfUnchanged } from './unchanged-times.ts';

interface Step {
  readonly op: 'apply' | 'create' | 'update';
  readonly manager: string;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly time: string;
  readonly body?: KubeObject;
  /** managedFields that were part of an update. */
  readonly managedFields?: [];
  /** Members of the object that the step changed, and the names of those it removed. */
  readonly after?: KubeObject;
  readonly gone?: readonly string[];
  readonly error?: { readonly code: number; readonly message: string };
}

interface Program {
  readonly title?: string;
  readonly kind: readonly [group: string, version: string, kind: string];
  readonly steps: readonly Step[];
}

const programs = vectors.programs.map((text): Program => JSON.parse(text));
const widget = customSchemas(JSON.parse(vectors.widget) as TypeSchema);

test.each(programs.map((program, index) => [titleOf(program, index), program] as const))(
  'applyConfiguration() and recordUpdate() answer as the API server does: %s',
  (_, program) => {
    let live: KubeObject | undefined;
    for (const step of program.steps) {
      const expected = step.after ? completed(program, live, step) : undefined;
      const answer = replay(program, live, step, expected);
      expect(answer).toEqual(expected ?? step.error);
      live = expected ?? live;
    }
  },
);

function titleOf({ title, kind }: Program, index: number): string {
  return title ?? `${kind[2]} ${index}`;
}

function schemasOf([group, version, kind]: Program['kind']) {
  if (kind === 'Widget') return widget;
  const schema = builtInSchemas().ofKind(group, version, kind);
  if (!schema) throw new Error(`Cannot find kind "${kind}"`);
  return { schemas: builtInSchemas(), schema };
}

function completed(program: Program, live: KubeObject | undefined, step: Step): KubeObject {
  const { group, kind } = typeOf(program);
  const object = { apiVersion: group, kind, ...live, ...step.after };
  const kept = Object.entries(object).filter(([key]) => !step.gone?.includes(key));
  return Object.fromEntries(kept);
}

function typeOf({ kind: [group, version, kind] }: Program) {
  return { group: group ? `${group}/${version}` : version, kind };
}

function replay(
  program: Program,
  live: KubeObject | undefined,
  step: Step,
  expected: KubeObject | undefined,
): unknown {
  const before = live && stored(live);
  try {
    const object = perform(program, before, step, expected);
    const filled = withRecordedDefaults(object, expected) as KubeObject;
    const settled = before ? keepTimesIfUnchanged(before, filled) : filled;
    return comparable(settled, step, expected);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function perform(
  program: Program,
  before: KubeObject | undefined,
  step: Step,
  expected: KubeObject | undefined,
): KubeObject {
  const { schemas, schema } = schemasOf(program.kind);
  const { group: apiVersion, kind } = typeOf(program);
  const { manager, subresource, time, force = false, managedFields } = step;
  const by: Applier = { manager, subresource, apiVersion, time, force };
  if (step.op === 'apply') {
    const named = {
      apiVersion,
      kind,
      ...step.body,
      metadata: { ...step.body?.metadata, name: 'x' },
    };
    return applyConfiguration(schemas, schema, before, named, by).object;
  }
  const { managedFields: _, ...metadata } = expected?.metadata ?? {};
  const sent = { ...expected, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
  return recordUpdate(schemas, schema, before, before ? stored(sent) : sent, by);
}

function stored(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, name: 'x', uid: 'u' } };
}

/** Through a subresource the server then puts back everything but the status. */
function comparable(object: KubeObject, step: Step, expected: KubeObject | undefined): KubeObject {
  const { name: _, uid: __, ...metadata } = object.metadata ?? {};
  if (!step.subresource) return { ...object, metadata };
  const { managedFields = [] } = metadata;
  const { status } = object as { status?: unknown };
  return {
    ...expected,
    metadata: { ...expected?.metadata, managedFields },
    ...(status !== undefined && { status }),
  } as KubeObject;
}

const configMaps = builtInSchemas().ofKind('', 'v1', 'ConfigMap') ?? {};

function configMap(data: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data } as KubeObject;
}

function applyAs(
  manager: string,
  live: KubeObject | undefined,
  data: Record<string, string>,
  more = {},
) {
  const by = { manager, apiVersion: 'v1', force: false, time: '2026-01-01T00:00:00Z', ...more };
  return applyConfiguration(builtInSchemas(), configMaps, live, configMap(data), by).object;
}

test('applyConfiguration() names every field and manager in a conflict', () => {
  const live = applyAs('b', applyAs('a', undefined, { x: '1' }), { y: '1' });
  const apply = () => applyAs('c', live, { x: '2', y: '2' });
  expect(apply).toThrow(
    'Apply failed with 2 conflicts: conflicts with "a":\n- .data.x\nconflicts with "b":\n- .data.y',
  );
  expect(catchError(apply)).toMatchObject({
    code: 409,
    reason: 'Conflict',
    details: {
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.x' },
        { reason: 'FieldManagerConflict', message: 'conflict with "b"', field: '.data.y' },
      ],
    },
  });
});

test('applyConfiguration() takes a field by force and leaves its last owner without it', () => {
  const taken = applyAs('b', applyAs('a', undefined, { x: '1' }), { x: '2' }, { force: true });
  expect(taken).toMatchObject({ data: { x: '2' } });
  expect(taken.metadata?.managedFields?.map(({ manager }) => manager)).toEqual(['b']);
});

test('applyConfiguration() changes neither the live object nor the configuration', () => {
  const live = freeze(applyAs('a', undefined, { x: '1', y: '1' }));
  const config = freeze(configMap({ x: '2' }));
  const by = { manager: 'a', apiVersion: 'v1', force: false, time: '2026-01-01T00:00:01Z' };
  const { object } = applyConfiguration(builtInSchemas(), configMaps, live, config, by);
  expect(object).toMatchObject({ data: { x: '2' } });
});

test('applyConfiguration() takes field names that objects inherit for what they are', () => {
  const data = JSON.parse('{"constructor":"1","__proto__":"2","toString":"3"}');
  const live = applyAs('a', undefined, data);
  expect(Object.keys((live as { data: object }).data)).toEqual(Object.keys(data));
  expect(applyAs('a', live, {})).not.toHaveProperty('data');
});

test('applyConfiguration() keeps the fields a status subresource cannot set away from its manager', () => {
  const widgetOf = (content: object) =>
    ({ apiVersion: 'x/v1', kind: 'Widget', metadata: { name: 'x' }, ...content }) as KubeObject;
  const by = { manager: 'a', apiVersion: 'x/v1', force: false, time: '2026-01-01T00:00:00Z' };
  const config = widgetOf({ spec: { size: 1 }, status: { phase: 'A' } });
  const { schemas, schema } = widget;
  const { object } = applyConfiguration(schemas, schema, undefined, config, {
    ...by,
    subresource: 'status',
  });
  const [entry] = object.metadata?.managedFields ?? [];
  expect(entry).toMatchObject({
    subresource: 'status',
    fieldsV1: { 'f:status': { 'f:phase': {} } },
  });
  expect(entry?.fieldsV1).not.toHaveProperty('f:spec');
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
