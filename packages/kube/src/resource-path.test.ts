import { expect, test } from 'vitest';
import { Deployment } from './kinds/apps.ts';
import { Node, Pod } from './kinds/core.ts';
import { queryString, resourcePath } from './resource-path.ts';

const web = { namespace: 'shop', name: 'web' };

test.each([
  ['a collection in all namespaces', resourcePath(Pod), '/api/v1/pods'],
  ['a collection in one', resourcePath(Pod, { namespace: 'shop' }), '/api/v1/namespaces/shop/pods'],
  ['an object', resourcePath(Pod, web), '/api/v1/namespaces/shop/pods/web'],
  [
    'an object of a group',
    resourcePath(Deployment, web),
    '/apis/apps/v1/namespaces/shop/deployments/web',
  ],
  ['a cluster-scoped object', resourcePath(Node, { name: 'n1' }), '/api/v1/nodes/n1'],
  [
    'a cluster-scoped object with a needless namespace',
    resourcePath(Node, web),
    '/api/v1/nodes/web',
  ],
  [
    'a subresource',
    resourcePath(Pod, { ...web, subresource: 'log' }),
    '/api/v1/namespaces/shop/pods/web/log',
  ],
  [
    'a path below one',
    resourcePath(Pod, { ...web, subresource: 'proxy/a b' }),
    '/api/v1/namespaces/shop/pods/web/proxy/a%20b',
  ],
  [
    'a name with special characters',
    resourcePath(Node, { name: 'a/b?c#d:e' }),
    '/api/v1/nodes/a%2Fb%3Fc%23d%3Ae',
  ],
])('resourcePath() addresses %s', (_, path, expected) => expect(path).toBe(expected));

test.each([
  ['', 'shop'],
  ['.', 'shop'],
  ['..', 'shop'],
  ['web', '.'],
  ['web', '..'],
])(
  'resourcePath() refuses the name "%s" in the namespace "%s": it would address something else',
  (name, namespace) => {
    expect(() => resourcePath(Pod, { name, namespace })).toThrow(/^Cannot address a Pod/);
  },
);

test.each([undefined, ''])(
  'resourcePath() refuses a namespaced object in the namespace %j',
  (namespace) => {
    expect(() => resourcePath(Pod, { namespace, name: 'web' })).toThrow(
      'Cannot address the Pod "web": it needs a namespace',
    );
  },
);

test('queryString() leaves out what is undefined, and repeats the key of a list', () => {
  const query = { watch: true, limit: 0, command: ['sh', '-c', 'a&b'], empty: '', none: undefined };
  expect(queryString(query)).toBe('?watch=true&limit=0&command=sh&command=-c&command=a%26b&empty=');
  expect(queryString({ none: undefined, nothing: [] })).toBe('');
});

test('resourcePath() puts the query behind the path', () => {
  expect(resourcePath(Pod, web, { dryRun: 'All' })).toBe(
    '/api/v1/namespaces/shop/pods/web?dryRun=All',
  );
});
