import { expect, test } from 'vitest';
import { impersonationHeaders } from './impersonation-headers.ts';
import type { KubeconfigUser } from './kubeconfig.ts';
import { Place } from './place.ts';

const nowhere = new Place({ lines: new Map() }, 'user');

test.each<[string, KubeconfigUser, Record<string, string | string[]>]>([
  ['asks for nobody', {}, {}],
  ['asks for a user', { as: 'jane' }, { 'impersonate-user': 'jane' }],
  [
    'asks for a UID',
    { as: 'jane', 'as-uid': '7' },
    { 'impersonate-user': 'jane', 'impersonate-uid': '7' },
  ],
  [
    'repeats the header for every group',
    { as: 'jane', 'as-groups': ['a', 'b,c'] },
    { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b,c'] },
  ],
  [
    'escapes what a header cannot be named',
    { as: 'jane', 'as-user-extra': { 'acme.com/Team%': ['x', 'y'], none: [] } },
    { 'impersonate-user': 'jane', 'impersonate-extra-acme.com%2fteam%25': ['x', 'y'] },
  ],
  ['ignores empty fields', { as: '', 'as-uid': '', 'as-groups': [], 'as-user-extra': {} }, {}],
])('impersonationHeaders() %s', (_, user, headers) => {
  expect(impersonationHeaders(user, nowhere)).toEqual(headers);
});

test.each<[string, KubeconfigUser]>([
  ['as-uid', { 'as-uid': '7' }],
  ['as-groups', { 'as-groups': ['a'] }],
  ['as-user-extra', { 'as-user-extra': { k: ['v'] } }],
])('impersonationHeaders() refuses %s without a user', (key, user) => {
  expect(() => impersonationHeaders(user, nowhere)).toThrow(`user.${key}: is set without "as"`);
});
