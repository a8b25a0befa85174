import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import { expect, test } from 'vitest';
import { ruleAllows } from './policy-rule.ts';

const user = { name: 'jane', groups: [], extra: {} };
const access = (verb: string, combined: string, name = '', group = '') => {
  const [plural = '', subresource = ''] = combined.split('/');
  const resource = { group, plural, subresource, namespace: 'shop', name };
  return { user, verb, resource, path: '' };
};
const rule = (more: Partial<PolicyRule>): PolicyRule => ({
  apiGroups: [''],
  resources: ['pods'],
  verbs: ['get'],
  ...more,
});

test.each<[string, PolicyRule, ReturnType<typeof access>, boolean]>([
  ['the verb it lists', rule({}), access('get', 'pods'), true],
  ['another verb', rule({}), access('list', 'pods'), false],
  ['any verb', rule({ verbs: ['*'] }), access('anything', 'pods'), true],
  ['another group', rule({}), access('get', 'pods', '', 'apps'), false],
  ['any group', rule({ apiGroups: ['*'] }), access('get', 'pods', '', 'apps'), true],
  ['another resource', rule({}), access('get', 'secrets'), false],
  ['a subresource of its resource', rule({}), access('get', 'pods/log'), false],
  ['the subresource it lists', rule({ resources: ['pods/log'] }), access('get', 'pods/log'), true],
  [
    'the resource of its subresource',
    rule({ resources: ['pods/log'] }),
    access('get', 'pods'),
    false,
  ],
  ['a subresource of anything', rule({ resources: ['*/log'] }), access('get', 'pods/log'), true],
  ['another subresource', rule({ resources: ['*/log'] }), access('get', 'pods/exec'), false],
  ['everything', rule({ resources: ['*'] }), access('get', 'pods/log'), true],
  ['a name it lists', rule({ resourceNames: ['a'] }), access('get', 'pods', 'a'), true],
  ['another name', rule({ resourceNames: ['a'] }), access('get', 'pods', 'b'), false],
  ['no name, when it lists some', rule({ resourceNames: ['a'] }), access('list', 'pods'), false],
  ['any name, when it lists none', rule({ resourceNames: [] }), access('get', 'pods', 'b'), true],
  [
    'nothing, when it has only paths',
    { verbs: ['*'], nonResourceURLs: ['*'] },
    access('get', 'pods'),
    false,
  ],
])('ruleAllows() for %s', (_, given, wanted, expected) => {
  expect(ruleAllows(given, wanted)).toBe(expected);
});

test.each([
  ['/healthz', '/healthz', true],
  ['/healthz', '/healthz/etcd', false],
  ['/healthz/*', '/healthz/etcd', true],
  ['/healthz/*', '/healthz', false],
  ['/api*', '/apis', true],
  ['*', '/anything', true],
])('ruleAllows() on the path %s for %s: %s', (url, path, expected) => {
  const given = { verbs: ['get'], nonResourceURLs: [url] };
  expect(ruleAllows(given, { user, verb: 'get', resource: undefined, path })).toBe(expected);
});
