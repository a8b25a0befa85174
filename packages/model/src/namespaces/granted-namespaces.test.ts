import type { RoleBinding } from '@liqo/kube';
import { expect, test } from 'vitest';
import { namespacesGrantedBy } from './granted-namespaces.ts';

type Subject = NonNullable<RoleBinding['subjects']>[number];

test.each<[string, Subject, readonly string[]]>([
  [
    'a ServiceAccount',
    { kind: 'ServiceAccount', namespace: 'argocd', name: 'controller' },
    ['argocd'],
  ],
  [
    'all ServiceAccounts of a namespace',
    { kind: 'Group', name: 'system:serviceaccounts:argocd' },
    ['argocd'],
  ],
  [
    'a ServiceAccount as a user',
    { kind: 'User', name: 'system:serviceaccount:argocd:controller' },
    ['argocd'],
  ],
  ['all ServiceAccounts', { kind: 'Group', name: 'system:serviceaccounts' }, []],
  ['another group', { kind: 'Group', name: 'rome' }, []],
  ['another user', { kind: 'User', name: 'jane' }, []],
])('namespacesGrantedBy() reads the namespace of %s', (_, subject, expected) => {
  expect(namespacesGrantedBy({ subjects: [subject] })).toEqual(expected);
});

test('namespacesGrantedBy() is empty without subjects', () => {
  expect(namespacesGrantedBy({})).toEqual([]);
});
