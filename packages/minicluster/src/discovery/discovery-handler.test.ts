import { expect, test } from 'vitest';
import { askedServer, builtInRegistry, widgets } from './testing/asked-server.ts';

const ask = askedServer();
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test('discoveryHandler() says in the content type that it answers with all groups at once', async () => {
  const answer = await ask('/apis', { accept: aggregated });
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': aggregated, 'cache-control': 'public', vary: 'Accept' },
  });
});

test('discoveryHandler() answers with the first form that the client names and the server has', async () => {
  const beta = aggregated.replace('v=v2', 'v=v2beta1');
  const answer = await ask('/apis', { accept: `${beta},application/json,${aggregated}` });
  expect(answer?.body).toMatchObject({ kind: 'APIGroupList' });
});

test('discoveryHandler() lists groups in the old form for clients that name none', async () => {
  expect((await ask('/apis'))?.body).toMatchObject({ kind: 'APIGroupList' });
  expect((await ask('/apis', { accept: '*/*' }))?.body).toMatchObject({ kind: 'APIGroupList' });
});

test('discoveryHandler() refuses clients that want what the server does not have', async () => {
  await expect(ask('/apis', { accept: 'text/html' })).rejects.toMatchObject({
    code: 406,
    reason: 'NotAcceptable',
  });
});

test('discoveryHandler() sends nothing to a client that has the newest answer', async () => {
  const first = await ask('/apis', { accept: aggregated });
  const etag = first?.headers?.etag ?? '';
  const second = await ask('/apis', { accept: aggregated, 'if-none-match': etag });
  expect(second).toMatchObject({
    status: 304,
    headers: { etag, 'content-type': aggregated },
  });
  expect(second).not.toHaveProperty('body');
});

test('discoveryHandler() has another tag when another resource is served', async () => {
  const registry = builtInRegistry();
  const askGrowing = askedServer(registry);
  const before = await askGrowing('/apis', { accept: aggregated });
  registry.add(widgets('v1'));
  const after = await askGrowing('/apis', { accept: aggregated });
  expect(after?.headers?.etag).not.toBe(before?.headers?.etag);
});

test('discoveryHandler() lists groups of custom resources last, their newest version first', async () => {
  const registry = builtInRegistry();
  registry.add(widgets('v1beta1'));
  registry.add(widgets('v1'));
  const { body } = (await askedServer(registry)('/apis')) ?? {};
  const { groups } = body as { groups: unknown[] };
  expect(groups.at(-1)).toMatchObject({
    name: 'example.com',
    versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
  });
});

test('discoveryHandler() names the group of custom kinds in full', async () => {
  const registry = builtInRegistry();
  registry.add(widgets('v1'));
  const answer = await askedServer(registry)('/apis', { accept: aggregated });
  const { items } = JSON.parse(JSON.stringify(answer?.body));
  expect(items.at(-1).versions[0].resources[0]).toMatchObject({
    resource: 'widgets',
    responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
  });
});
