import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { discover, discoverResource } from './discovery.ts';

const pods = {
  resource: 'pods',
  responseKind: { group: '', version: 'v1', kind: 'Pod' },
  scope: 'Namespaced',
  singularResource: 'pod',
  verbs: ['get', 'list'],
  shortNames: ['po'],
  categories: ['all'],
  subresources: [{ subresource: 'log' }, { subresource: 'status' }],
};
const nodes = {
  resource: 'nodes',
  responseKind: { kind: 'Node' },
  scope: 'Cluster',
  singularResource: 'node',
  verbs: ['get'],
};

const list = (items: unknown) => ({ kind: 'APIGroupDiscoveryList', items });
const server = (documents: Record<string, unknown>) => {
  const asked: [string, string][] = [];
  const getJson = async <T>(path: string, accept: string): Promise<T> => {
    asked.push([path, accept]);
    return documents[path] as T;
  };
  return { asked, getJson };
};

test('discover() reads every kind with two requests', async () => {
  const { asked, getJson } = server({
    '/api': list([{ metadata: {}, versions: [{ version: 'v1', resources: [pods, nodes] }] }]),
    '/apis': list([
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                ...nodes,
                resource: 'deployments',
                responseKind: { kind: 'Deployment' },
                scope: 'Namespaced',
              },
            ],
          },
          { version: 'v1beta1', resources: [] },
        ],
      },
      {
        metadata: { name: 'broken.example.com' },
        versions: [{ version: 'v1', freshness: 'Stale' }],
      },
    ]),
  });
  const found = await discover(getJson);
  expect(found).toMatchObject([
    {
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      singular: 'pod',
      namespaced: true,
      verbs: ['get', 'list'],
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['log', 'status'],
    },
    { kind: 'Node', namespaced: false, shortNames: [], categories: [], subresources: [] },
    { group: 'apps', version: 'v1', kind: 'Deployment', namespaced: true },
  ]);
  expect(asked.map(([path]) => path)).toEqual(['/api', '/apis']);
  for (const [, accept] of asked) expect(accept).toMatch(/v=v2;as=APIGroupDiscoveryList/);
});

test('discover() leaves out a path that has subresources and no kind of its own', async () => {
  const orphan = {
    resource: 'orphans',
    responseKind: null,
    scope: 'Namespaced',
    singularResource: '',
    verbs: [],
  };
  const { getJson } = server({
    '/api': list([{ versions: [{ version: 'v1', resources: [orphan, pods] }] }]),
    '/apis': list(null),
  });
  expect((await discover(getJson)).map(({ plural }) => plural)).toEqual(['pods']);
});

test('discover() says which Kubernetes it needs when the server is older', async () => {
  const { getJson } = server({
    '/api': { kind: 'APIVersions' },
    '/apis': { kind: 'APIGroupList' },
  });
  expect(await rejection(discover(getJson))).toMatchObject({
    message: expect.stringContaining('Kubernetes 1.30 or newer'),
  });
});

test('discoverResource() reads one resource of a version with one request', async () => {
  const { asked, getJson } = server({
    '/apis/example.org/v1': {
      resources: [
        { name: 'widgets', kind: 'Widget', namespaced: true },
        { name: 'widgets/status', kind: 'Widget', namespaced: true },
        { name: 'plants', kind: 'Plant', namespaced: false },
      ],
    },
  });
  const find = (plural: string) =>
    discoverResource(getJson, { group: 'example.org', version: 'v1', plural });
  expect(await find('widgets')).toEqual({
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
    hasStatus: true,
  });
  expect(await find('plants')).toMatchObject({ namespaced: false, hasStatus: false });
  expect(await find('gadgets')).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test.each([
  null,
  'x',
  {},
  { resources: 3 },
  { resources: [null, 4, { name: 'widgets', kind: 5 }] },
])('discoverResource() finds nothing in %j', async (answer) => {
  const { getJson } = server({ '/apis/example.org/v1': answer });
  const widgets = { group: 'example.org', version: 'v1', plural: 'widgets' };
  expect(await discoverResource(getJson, widgets)).toBeUndefined();
});
