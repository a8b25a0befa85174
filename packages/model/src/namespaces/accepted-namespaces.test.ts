import type { NamespaceMap } from '@liqo/api';
import { expect, test } from 'vitest';
import { acceptedNamespaces } from './accepted-namespaces.ts';

type Mapping = NonNullable<NonNullable<NamespaceMap['status']>['currentMapping']>[string];

function mapOf(
  desired: readonly (readonly [string, string])[],
  current: readonly (readonly [string, Mapping])[],
): NamespaceMap {
  return {
    spec: { desiredMapping: Object.fromEntries(desired) },
    status: { currentMapping: Object.fromEntries(current) },
  };
}

const accepted = (remoteNamespace: string): Mapping => ({ remoteNamespace, phase: 'Accepted' });

test.each([
  [
    'takes what is asked for and accepted',
    mapOf([['shop', 'shop-rome']], [['shop', accepted('shop-rome')]]),
    ['shop'],
  ],
  ['ignores what the provider adds', mapOf([], [['shop', accepted('shop-rome')]]), []],
  [
    'ignores another name than the one asked for',
    mapOf([['shop', 'shop-rome']], [['shop', accepted('trap')]]),
    [],
  ],
  ['ignores what is not answered', mapOf([['shop', 'shop-rome']], []), []],
  [
    'ignores what is refused',
    mapOf(
      [['shop', 'shop-rome']],
      [['shop', { remoteNamespace: 'shop-rome', phase: 'CreationLoopBackOff' }]],
    ),
    [],
  ],
  ['never takes kube-system', mapOf([['kube-system', 'x']], [['kube-system', accepted('x')]]), []],
  ['never takes the namespace of Liqo', mapOf([['liqo', 'x']], [['liqo', accepted('x')]]), []],
  ['reads no inherited property', mapOf([['constructor', 'x']], []), []],
  [
    'takes a namespace called constructor',
    mapOf([['constructor', 'x']], [['constructor', accepted('x')]]),
    ['constructor'],
  ],
])('acceptedNamespaces() %s', (_, map, expected) => {
  expect([...acceptedNamespaces(map, 'liqo').keys()]).toEqual(expected);
});

test('acceptedNamespaces() is empty without a map', () => {
  expect(acceptedNamespaces(undefined, 'liqo').size).toBe(0);
});
