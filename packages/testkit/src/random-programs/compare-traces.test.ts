import { expect, test } from 'vitest';
import { compareTraces } from './compare-traces.ts';
import type { Program } from './program.ts';
import type { Trace } from './run-program.ts';

const program: Program = {
  seed: 1,
  name: 'p1',
  namespaces: ['p1-a', 'p1-b', 'p1-c'],
  kinds: ['ConfigMap'],
  steps: [
    { caller: 'ada', method: 'GET', kind: 'ConfigMap', namespace: 'p1-a', name: 'x', query: {} },
    { caller: 'bob', method: 'GET', kind: 'ConfigMap', namespace: 'p1-a', name: 'y', query: {} },
  ],
};

interface Server {
  readonly uids: readonly string[];
  readonly versions: readonly string[];
  readonly time: string;
}

const one: Server = {
  uids: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  versions: ['10', '20'],
  time: '2030-01-01T00:00:00Z',
};
const other: Server = {
  uids: ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'],
  versions: ['7', '8'],
  time: '2031-12-31T23:59:59Z',
};

function traceOf({ uids, versions, time }: Server, change: object = {}): Trace {
  const bodies = uids.map((uid, index) => ({
    metadata: { uid, resourceVersion: versions[index], creationTimestamp: time },
    ...change,
  }));
  return { answers: bodies.map((body) => ({ code: 200, body })), events: {} };
}

test('compareTraces() forgives other UIDs, versions and times', () => {
  expect(compareTraces(program, traceOf(one), traceOf(other))).toBeUndefined();
});

test('compareTraces() sees versions that are in another order', () => {
  const reversed = { ...other, versions: ['8', '7'] };
  expect(compareTraces(program, traceOf(one), traceOf(reversed))).toContain('version-2');
});

test('compareTraces() sees one UID where the other server has two', () => {
  const [uid = ''] = other.uids;
  const repeated = { ...other, uids: [uid, uid] };
  expect(compareTraces(program, traceOf(one), traceOf(repeated))).toContain('uid-1');
});

test('compareTraces() sees a time of another precision', () => {
  const precise = { ...other, time: '2031-12-31T23:59:59.000000Z' };
  expect(compareTraces(program, traceOf(one), traceOf(precise))).toContain('##.######Z');
});

test.each([
  ['forgives another order of finalizers of a deleted namespace', { name: 'x' }, 'orphan', false],
  [
    'sees another order of finalizers in a namespace',
    { name: 'x', namespace: 'y' },
    'orphan',
    true,
  ],
  ['sees another order of finalizers of its own', { name: 'x' }, 'example.org/b', true],
])('compareTraces() %s', (_, key, finalizer, isSeen) => {
  const holding = (finalizers: readonly string[]) => ({
    ...traceOf(one),
    events: { Namespace: [{ metadata: { ...key, finalizers } }] },
  });
  const [first, second] = [
    [finalizer, 'example.org/a'],
    ['example.org/a', finalizer],
  ];
  const difference = compareTraces(program, holding(first), holding(second));
  expect(difference !== undefined).toBe(isSeen);
});

const [unknown, mistyped] = ['.spec.z: field not declared in schema', '.spec.a.b: expected map'];

test.each([
  ['forgives faults of an applied object beside a field that nobody knows', [mistyped], [], false],
  ['sees faults of an applied object elsewhere', ['.specs.a: expected map'], [], true],
  ['sees another field that nobody knows', ['.status.z: field not declared in schema'], [], true],
  ['sees another fault', ['.data.a: expected map'], ['.data.a: expected list'], true],
])('compareTraces() %s', (_, ours, real, isSeen) => {
  const difference = compareTraces(
    program,
    refused([...ours, unknown]),
    refused([...real, unknown]),
  );
  expect(difference !== undefined).toBe(isSeen);
});

test('compareTraces() forgives another order of the faults of an applied object', () => {
  const faults = ['.data.a: expected string', '.data.b: expected string'];
  expect(compareTraces(program, refused(faults), refused(faults.toReversed()))).toBeUndefined();
});

function refused(faults: readonly string[]): Trace {
  const told = faults.length === 1 ? faults : ['errors:', ...faults.map((fault) => `  ${fault}`)];
  const what = 'failed to create typed patch object (x/y; v1, Kind=Z): ';
  return traceOf(one, { message: what + told.join('\n') });
}

test('compareTraces() names the first step that differs, and how', () => {
  const difference = compareTraces(
    program,
    traceOf(one, { data: { a: '1' } }),
    traceOf(other, { data: { a: '2' } }),
  );
  expect(difference).toBe(
    [
      'In step 0 of seed 1: ada: GET ConfigMap/p1-a/x',
      '  /body/data/a',
      '    minicluster "1"',
      '    kubernetes  "2"',
    ].join('\n'),
  );
});

test('compareTraces() compares events in their order', () => {
  const [added, deleted] = [{ type: 'ADDED' }, { type: 'DELETED' }];
  const ours = { ...traceOf(one), events: { ConfigMap: [added, deleted] } };
  const real = { ...traceOf(other), events: { ConfigMap: [deleted, added] } };
  expect(compareTraces(program, ours, ours)).toBeUndefined();
  expect(compareTraces(program, ours, real)).toContain('In the events of seed 1');
});
