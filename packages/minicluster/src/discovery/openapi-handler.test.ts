import { expect, test } from 'vitest';
import { askedServer, builtInRegistry, widgets } from './testing/asked-server.ts';

const ask = askedServer();

async function addressOf(path: string, asked = ask): Promise<string> {
  const { body } = (await asked('/openapi/v3')) ?? {};
  const { paths } = body as { paths: Record<string, { serverRelativeURL: string }> };
  return paths[path]?.serverRelativeURL ?? '';
}

test('openApiHandler() has a document for every group version, under an address that changes with it', async () => {
  const address = await addressOf('apis/apps/v1');
  expect(address).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  const answer = await ask(address);
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, immutable' },
  });
});

test('openApiHandler() describes a kind with everything it refers to', async () => {
  const answer = await ask(await addressOf('api/v1'));
  const { schemas } = JSON.parse(String(answer?.body)).components;
  expect(schemas['io.k8s.api.core.v1.Pod']).toMatchObject({
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
  });
  expect(schemas).toHaveProperty(['io.k8s.api.core.v1.Container']);
  expect(schemas).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']);
});

test('openApiHandler() says for each kind how its objects are patched', async () => {
  const answer = await ask(await addressOf('api/v1'));
  const { paths } = JSON.parse(String(answer?.body));
  const { patch } = paths['/api/v1/namespaces/{namespace}/pods/{name}'];
  expect(patch['x-kubernetes-group-version-kind']).toEqual({
    group: '',
    version: 'v1',
    kind: 'Pod',
  });
  expect(Object.keys(patch.requestBody.content)).toContain('application/apply-patch+yaml');
});

test('openApiHandler() sends a client with an old hash to the new document', async () => {
  const answer = await ask('/openapi/v3/api/v1?hash=OLD');
  expect(answer).toMatchObject({ status: 301, headers: { location: await addressOf('api/v1') } });
});

test('openApiHandler() has no document of a group that is not served', async () => {
  expect(await ask('/openapi/v3/apis/nope/v1')).toEqual({ status: 404 });
});

test('openApiHandler() describes custom resources as soon as they are served', async () => {
  const registry = builtInRegistry();
  const askGrowing = askedServer(registry);
  expect(await addressOf('apis/example.com/v1', askGrowing)).toBe('');
  registry.add(widgets('v1'));
  const answer = await askGrowing(await addressOf('apis/example.com/v1', askGrowing));
  const { paths, components } = JSON.parse(String(answer?.body));
  expect(components.schemas).toHaveProperty(['com.example.v1.Widget']);
  const { patch } = paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}'];
  expect(Object.keys(patch.requestBody.content)).not.toContain(
    'application/strategic-merge-patch+json',
  );
});
