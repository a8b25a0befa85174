import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../rest/api-request.ts';
import { readRequestInfo } from '../rest/request-info.ts';
import type { Access, Authorizer } from './access.ts';
import type { Authenticator } from './authenticator.ts';
import { accessOf, createGatekeeper } from './gatekeeper.ts';

const user = { name: 'jane', groups: [], extra: {} };

function request(method: string, path: string): ApiRequest {
  const url = new URL(path, 'https://cluster');
  return {
    method,
    info: readRequestInfo(method, url.pathname, url.searchParams),
    query: url.searchParams,
    headers: {},
    body: '',
    user,
    signal: new AbortController().signal,
    warn: () => undefined,
  };
}

const pods = { group: '', plural: 'pods', subresource: '', namespace: '', name: '' };

test.each<[string, string, string, object | undefined]>([
  ['GET', '/api/v1/pods', 'list', pods],
  [
    'GET',
    '/api/v1/namespaces/shop/pods/web/log',
    'get',
    { ...pods, namespace: 'shop', name: 'web', subresource: 'log' },
  ],
  [
    'GET',
    '/apis/apps/v1/deployments?watch=true',
    'watch',
    { ...pods, group: 'apps', plural: 'deployments' },
  ],
  ['DELETE', '/api/v1/namespaces/shop/pods', 'deletecollection', { ...pods, namespace: 'shop' }],
  ['GET', '/healthz', 'get', undefined],
])('accessOf() takes %s %s for %s', (method, path, verb, resource) => {
  expect(accessOf(request(method, path))).toMatchObject({ user, verb, resource });
});

test('accessOf() takes a list of one name for that name', () => {
  const nameOf = (path: string, method = 'GET') => accessOf(request(method, path)).resource?.name;
  expect(nameOf('/api/v1/pods?fieldSelector=metadata.name%3Dweb')).toBe('web');
  expect(nameOf('/api/v1/pods?fieldSelector=metadata.name!%3Dweb')).toBe('');
  expect(nameOf('/api/v1/pods?fieldSelector=nonsense')).toBe('');
  expect(nameOf('/api/v1/pods?fieldSelector=metadata.name%3Dweb', 'DELETE')).toBe('');
});

const gatekeeper = (may: (access: Access) => boolean) => {
  const authorizer: Authorizer = {
    authorize: (access) => ({ allowed: may(access), reason: '' }),
  };
  return createGatekeeper({} as Authenticator, authorizer);
};

test('authorize() refuses a shell to whoever may only get it', async () => {
  const exec = request('GET', '/api/v1/namespaces/shop/pods/web/exec');
  const reader = gatekeeper(({ verb }) => verb === 'get');
  const error = await rejection(reader.authorize(exec));
  expect(error).toMatchObject({ code: 403, message: 'pods "web" is forbidden: ' });
  await gatekeeper(() => true).authorize(exec);
  await reader.authorize(request('GET', '/api/v1/namespaces/shop/pods/web/log'));
});

test('authorize() escapes what a browser could take for markup', async () => {
  const error = await rejection(gatekeeper(() => false).authorize(request('GET', '/a&b')));
  expect(error).toMatchObject({
    message: 'forbidden: User "jane" cannot get path "/a&amp;b"',
  });
});
