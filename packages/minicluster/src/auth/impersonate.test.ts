import { expect, test } from 'vitest';
import type { Access, Authorizer } from './access.ts';
import { impersonate } from './impersonate.ts';

const sender = { name: 'root', groups: ['admins'], extra: {} };
const yes: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };
const no: Authorizer = { authorize: () => ({ allowed: false, reason: 'why' }) };

test('impersonate() is the sender when no header says otherwise', () => {
  expect(impersonate(sender, { accept: 'x' }, no)).toBe(sender);
});

test('impersonate() takes on everything that the headers name', () => {
  const headers = {
    'impersonate-user': 'jane',
    'impersonate-group': 'a,b\nc',
    'impersonate-uid': '7',
    'impersonate-extra-acme.com%2fscopes': 'x\ny',
    'impersonate-extra-100%': 'z',
  };
  expect(impersonate(sender, headers, yes)).toEqual({
    name: 'jane',
    uid: '7',
    groups: ['a,b', 'c', 'system:authenticated'],
    extra: { 'acme.com/scopes': ['x', 'y'], '100%': ['z'] },
  });
});

test('impersonate() asks for each of them', () => {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    authorize: ({ user, verb, resource }: Access) => {
      expect([user, verb]).toEqual([sender, 'impersonate']);
      const { group, plural, subresource, namespace, name } = resource ?? {};
      asked.push([group, plural, subresource, namespace, name].join('|'));
      return { allowed: true, reason: '' };
    },
  };
  const headers = {
    'impersonate-user': 'system:serviceaccount:shop:robot',
    'impersonate-group': 'team',
    'impersonate-extra-scopes': 'x\ny',
    'impersonate-uid': '7',
  };
  impersonate(sender, headers, authorizer);
  expect(asked).toEqual([
    '|serviceaccounts||shop|robot',
    '|groups|||team',
    'authentication.k8s.io|userextras|scopes||x',
    'authentication.k8s.io|userextras|scopes||y',
    'authentication.k8s.io|uids|||7',
  ]);
});

test('impersonate() refuses what the sender may not, with the reason', () => {
  expect(() => impersonate(sender, { 'impersonate-user': 'jane' }, no)).toThrow(
    'users "jane" is forbidden: User "root" cannot impersonate resource "users" in API group "" at the cluster scope: why',
  );
});

test.each([
  [{ 'impersonate-group': 'a\nb' }, '[{Group  a    } {Group  b    }]'],
  [{ 'impersonate-uid': '7' }, '[{UID  7  authentication.k8s.io/v1  }]'],
  [{ 'impersonate-extra-s': 'x' }, '[{UserExtra  x  authentication.k8s.io/v1  s}]'],
])('impersonate() refuses %j, which is about nobody', (headers, told) => {
  expect(() => impersonate(sender, headers as Record<string, string>, yes)).toThrow(
    `requested ${told} without impersonating a user`,
  );
});

test.each([
  [
    'system:serviceaccount:shop:robot',
    undefined,
    ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
  ],
  ['system:serviceaccount:shop:robot', 'team', ['team', 'system:authenticated']],
  ['jane', undefined, ['system:authenticated']],
  ['jane', 'system:authenticated', ['system:authenticated']],
  ['jane', 'system:unauthenticated', ['system:unauthenticated']],
  ['system:anonymous', undefined, ['system:unauthenticated']],
  ['system:anonymous', 'system:unauthenticated', ['system:unauthenticated']],
])('impersonate() gives %s with the group %s the groups %j', (name, group, groups) => {
  const headers = { 'impersonate-user': name, ...(group && { 'impersonate-group': group }) };
  expect(impersonate(sender, headers, yes).groups).toEqual(groups);
});
