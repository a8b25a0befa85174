import { expect, test } from 'vitest';
import { type OwnerState, planDependent } from './plan-dependent.ts';

const none = { any: false, anyAwaiting: false };

function owners(states: readonly OwnerState[]) {
  return states.map((state, index) => {
    const uid = `uid-${index}`;
    return [{ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }, state] as const;
  });
}

test.each<[string, OwnerState[], object]>([
  ['keeps an object without owners', [], { action: 'keep' }],
  ['keeps an object whose owners are all there', ['solid', 'solid'], { action: 'keep' }],
  [
    'drops references to lost owners while one is left',
    ['dangling', 'solid', 'waiting'],
    { action: 'drop-references', uids: ['uid-0', 'uid-2'] },
  ],
  [
    'deletes what has lost all owners in the background',
    ['dangling'],
    { action: 'delete', propagationPolicy: 'Background', unblock: false },
  ],
  [
    'deletes what an owner waits for in the background if nothing depends on it',
    ['waiting'],
    { action: 'delete', propagationPolicy: 'Background', unblock: false },
  ],
])('planDependent() %s', (_, states, expected) => {
  expect(planDependent({}, owners(states), none)).toEqual(expected);
});

test('planDependent() passes the waiting on to the next generation, and breaks cycles', () => {
  const dependents = { any: true, anyAwaiting: true };
  expect(planDependent({}, owners(['waiting']), dependents)).toEqual({
    action: 'delete',
    propagationPolicy: 'Foreground',
    unblock: true,
  });
});

test('planDependent() respects a finalizer that asks for orphans', () => {
  const object = { metadata: { finalizers: ['orphan'] } };
  expect(planDependent(object, owners(['dangling']), none)).toMatchObject({
    propagationPolicy: 'Orphan',
  });
});
