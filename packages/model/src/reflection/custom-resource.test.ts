import { labels } from '@liqo/api';
import type { Kind, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import {
  type CustomObject,
  planCustomResource,
  readCustomCopy,
  translateStatus,
} from './custom-resource.ts';
import { planCustomStatus } from './plan-custom-status.ts';
import type { ReflectionRoute } from './reflection-route.ts';

const kind: Kind<CustomObject> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };
const fromMilan = { [labels.origin]: 'milan', [labels.destination]: 'rome' };

function widget(change: Partial<CustomObject> = {}): Stored<CustomObject> {
  return {
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    spec: { size: 2 },
    ...change,
    metadata: {
      namespace: 'shop',
      name: 'door',
      uid: 'l1',
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      generation: 7,
      ...change.metadata,
    },
  };
}

function copy(change: Partial<CustomObject> = {}): Stored<CustomObject> {
  const metadata = { namespace: 'shop-rome', uid: 'r1', generation: 3, labels: marks };
  const object = widget({ ...change, metadata: { ...metadata, ...change.metadata } });
  const read = readCustomCopy(object);
  if (!read) throw new Error('It is no object');
  return read;
}

/** As the API server of the consumer records a status that was taken over. */
function taken(status: object): Stored<CustomObject> {
  const fieldsOf = (value: unknown): object =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [`f:${name}`, fieldsOf(one)]))
      : {};
  const entry = {
    manager: 'reflection.liqo.io/milan',
    operation: 'Apply',
    subresource: 'status',
    fieldsV1: fieldsOf({ status }),
  } as const;
  return widget({ status, metadata: { managedFields: [entry] } });
}

describe('planCustomResource()', () => {
  const plan = planCustomResource(kind);

  test('sends the spec, and nothing else but labels and annotations', () => {
    const local = widget({ status: { phase: 'Mine' }, metadata: { labels: { app: 'web' } } });
    expect(plan(local, undefined, route)).toEqual({
      type: 'apply',
      object: {
        apiVersion: 'example.org/v1',
        kind: 'Widget',
        metadata: { namespace: 'shop-rome', name: 'door', labels: { app: 'web', ...marks } },
        spec: { size: 2 },
      },
    });
  });

  test.each([
    ['leaves a good copy alone', copy(), 'nothing'],
    ['leaves what the provider adds', copy({ spec: { size: 2, color: 'red' } }), 'nothing'],
    ['repairs what it changes', copy({ spec: { size: 3 } }), 'apply'],
    ['leaves a foreign object alone', copy({ metadata: { labels: {} } }), 'refuse'],
  ])('%s', (_, remote, type) => {
    expect(plan(widget(), remote, route).type).toBe(type);
  });

  test('refuses a copy that a peer has made here, and removes what was made of it', () => {
    const local = widget({ metadata: { labels: fromMilan } });
    expect(plan(local, undefined, route)).toMatchObject({
      type: 'refuse',
      reason: 'ReflectionLoop',
    });
    expect(plan(local, copy(), route).type).toBe('delete');
  });

  test('reflects an object that this cluster has sent elsewhere', () => {
    const local = widget({ metadata: { labels: { ...marks, [labels.destination]: 'turin' } } });
    expect(plan(local, undefined, route).type).toBe('apply');
  });
});

describe('readCustomCopy()', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

  test.each([
    [{ phase: 'x'.repeat(1_000) }, undefined],
    [{ phase: 'x'.repeat(70_000) }, 'KiB'],
    [nested(31), undefined],
    [nested(33), 'nested'],
    [nested(3_000), 'nested'],
    ['text', 'no object'],
    [['list'], 'no object'],
  ])('judges a status', (status, problem) => {
    const read = readCustomCopy(widget({ status, metadata: { labels: marks } }));
    expect(read?.status).toEqual(problem === undefined ? status : undefined);
    if (problem === undefined) expect(read?.statusProblem).toBeUndefined();
    else expect(read?.statusProblem).toContain(problem);
  });

  test('takes no problem that the provider has written', () => {
    expect(copy({ statusProblem: 'hostile' }).statusProblem).toBeUndefined();
  });
});

describe('translateStatus()', () => {
  test.each([
    [3, 7],
    [2, 6],
    [0, 6],
    [99, 7],
  ])('makes of generation %i of the copy generation %i of the original', (observed, expected) => {
    const conditions = [{ type: 'Ready', observedGeneration: observed }, 'odd'];
    const status = { observedGeneration: observed, conditions };
    expect(translateStatus(copy({ status }), widget())).toEqual({
      observedGeneration: expected,
      conditions: [{ type: 'Ready', observedGeneration: expected }, 'odd'],
    });
  });
});

describe('planCustomStatus()', () => {
  const open = copy({ status: { phase: 'Open' } });
  const skipped = { annotations: { 'liqo.io/skip-reflection': 'true' } };

  test.each<[string, Stored<CustomObject> | undefined, Stored<CustomObject> | undefined, string]>([
    ['applies a status', widget(), open, 'apply'],
    ['leaves a status alone that is taken', taken({ phase: 'Open' }), open, 'nothing'],
    ['applies a change', taken({ phase: 'Shut' }), open, 'apply'],
    ['gives a field back', taken({ phase: 'Open', more: 1 }), open, 'apply'],
    ['has nothing to take', widget(), copy(), 'nothing'],
    ['takes no empty status', widget(), copy({ status: {} }), 'nothing'],
    ['takes none of a foreign object', widget(), { ...open, ...widget() }, 'nothing'],
    ['takes none without a copy', widget(), undefined, 'nothing'],
    ['takes none without an original', undefined, open, 'nothing'],
    ['takes none of a large one', widget(), copy({ status: ['x'] }), 'refuse'],
    [
      'gives all back of what is skipped',
      widgetWith(taken({ phase: 'Open' }), skipped),
      open,
      'apply',
    ],
    ['gives nothing back twice', widgetWith(taken({}), skipped), open, 'nothing'],
    [
      'takes none of a copy of a peer',
      widget({ metadata: { labels: fromMilan } }),
      open,
      'nothing',
    ],
  ])('%s', (_, local, remote, type) => {
    expect(planCustomStatus(kind, local, remote, route).type).toBe(type);
  });

  test('means the very object, and names the provider as the manager of the fields', () => {
    expect(planCustomStatus(kind, widget(), open, route)).toEqual({
      type: 'apply',
      manager: 'reflection.liqo.io/milan',
      object: {
        apiVersion: 'example.org/v1',
        kind: 'Widget',
        metadata: { namespace: 'shop', name: 'door', uid: 'l1' },
        status: { phase: 'Open' },
      },
    });
  });
});

function widgetWith(object: Stored<CustomObject>, metadata: object): Stored<CustomObject> {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}
