import { ConfigMap, type JsonPatchOperation, Pod, Service } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { type Hook, installWebhooks, startWebhookWorld } from './install-webhooks.ts';
import { freshNamespace, type GetSubject } from './subject.ts';
import type { ReviewAnswer, ReviewRequest, WebhookServer } from './webhook-server.ts';

/** Webhooks that change objects. */
export function mutatingWebhooks(subject: GetSubject, getServer: () => WebhookServer): void {
  const install = (...hooks: readonly Hook[]) =>
    startWebhookWorld(subject(), getServer(), 'mutating', hooks);
  const appending =
    (letter: string) =>
    ({ object }: ReviewRequest): ReviewAnswer => ({
      patch: [set('/data/seen', `${object?.data?.seen ?? ''}${letter}`)],
    });
  const withSeen = (namespace: string) => ({
    metadata: { namespace, name: 'one' },
    data: { seen: '' },
  });

  test('a mutating webhook changes what is stored', async () => {
    await using world = await install({ path: '/change' });
    world.server.answer('/change', () => ({ patch: [set('/data', { added: 'yes' })] }));
    const { client, namespace } = world;
    const created = await client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    expect(created.data).toEqual({ added: 'yes' });
    expect((await client.get(ConfigMap, { namespace, name: 'one' }))?.data).toEqual({
      added: 'yes',
    });
  });

  test('a mutating webhook is told who does what to which object', async () => {
    await using world = await install({ path: '/told' });
    const { client, namespace, server } = world;
    await client.create(ConfigMap, { metadata: { namespace, name: 'one' }, data: { a: '1' } });
    const resource = { group: '', version: 'v1', resource: 'configmaps' };
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    expect(server.asked('/told').at(-1)).toMatchObject({
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'one',
      namespace,
      operation: 'CREATE',
      userInfo: {
        username: expect.any(String),
        groups: expect.arrayContaining(['system:authenticated']),
      },
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: 'one' },
        data: { a: '1' },
      },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    });
  });

  test('a mutating webhook sees both sides of an update', async () => {
    await using world = await install({ path: '/update' });
    const { client, namespace, server } = world;
    const metadata = { namespace, name: 'one' };
    await client.create(ConfigMap, { metadata, data: { a: '1' } });
    await client.update(ConfigMap, { metadata, data: { a: '2' } });
    expect(server.asked('/update').at(-1)).toMatchObject({
      operation: 'UPDATE',
      object: { data: { a: '2' } },
      oldObject: { data: { a: '1' } },
      options: { kind: 'UpdateOptions' },
    });
  });

  test('a mutating webhook sees what is deleted, and cannot change it', async () => {
    await using world = await install({ path: '/delete', operations: ['DELETE'] });
    const { client, namespace, server } = world;
    const key = { namespace, name: 'one' };
    await client.create(ConfigMap, { metadata: key });
    server.answer('/delete', () => ({ patch: [set('/data', { a: '1' })] }));
    expect(await rejection(client.delete(ConfigMap, key))).toMatchObject({
      code: 500,
      message: `Internal error occurred: admission webhook "delete.example.org" attempted to modify the object, which is not supported for this operation`,
    });
    server.answer('/delete', () => ({}));
    await client.delete(ConfigMap, key);
    expect(server.asked('/delete').at(-1)).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { metadata: { name: 'one' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  test('a new object has no identity yet while it is changed, and no generated name', async () => {
    await using world = await install({ path: '/new' });
    const { client, namespace, server } = world;
    const created = await client.create(ConfigMap, {
      metadata: { namespace, generateName: 'one-' },
    });
    const request = server.asked('/new').at(-1);
    expect(request?.object?.metadata).toMatchObject({ generateName: 'one-' });
    expect(request?.name ?? '').toBe('');
    expect(request?.object?.metadata?.name ?? '').toBe('');
    expect(request?.object?.metadata?.uid ?? '').toBe('');
    expect(created.metadata.name).toMatch(/^one-.{5}$/);
  });

  test('webhooks of one configuration change an object in their order', async () => {
    await using world = await install({ path: '/order-b' }, { path: '/order-a' });
    world.server.answer('/order-b', appending('b'));
    world.server.answer('/order-a', appending('a'));
    const created = await world.client.create(ConfigMap, withSeen(world.namespace));
    expect(created.data).toEqual({ seen: 'ba' });
  });

  test('configurations follow each other by name', async () => {
    const { client } = subject();
    const server = getServer();
    const namespace = await freshNamespace(subject());
    const base = { client, server, namespace, kind: 'mutating' as const };
    await using _second = await installWebhooks({ ...base, name: 'b' }, [{ path: '/by-name-b' }]);
    await using _first = await installWebhooks({ ...base, name: 'a' }, [{ path: '/by-name-a' }]);
    server.answer('/by-name-a', appending('a'));
    server.answer('/by-name-b', appending('b'));
    expect((await client.create(ConfigMap, withSeen(namespace))).data).toEqual({ seen: 'ab' });
  });

  test('reinvocation calls a webhook again after a later one changed the object', async () => {
    const hooks = [{ path: '/again', reinvocationPolicy: 'IfNeeded' as const }, { path: '/later' }];
    await using world = await install(...hooks);
    world.server.answer('/again', appending('a'));
    world.server.answer('/later', appending('l'));
    const created = await world.client.create(ConfigMap, withSeen(world.namespace));
    expect(created.data).toEqual({ seen: 'ala' });
  });

  test('without a reinvocation policy a webhook is called once', async () => {
    await using world = await install({ path: '/once' }, { path: '/after-once' });
    world.server.answer('/once', appending('o'));
    world.server.answer('/after-once', appending('a'));
    const created = await world.client.create(ConfigMap, withSeen(world.namespace));
    expect(created.data).toEqual({ seen: 'oa' });
  });

  test('a change of its own is no reason to call a webhook again', async () => {
    const reinvocationPolicy = 'IfNeeded' as const;
    await using world = await install({ path: '/own', reinvocationPolicy }, { path: '/idle' });
    world.server.answer('/own', appending('o'));
    const created = await world.client.create(ConfigMap, withSeen(world.namespace));
    expect(created.data).toEqual({ seen: 'o' });
  });

  test('what a webhook adds is completed with defaults', async () => {
    await using world = await install({ path: '/defaults', resources: ['services'] });
    world.server.answer('/defaults', () => ({
      patch: [set('/spec/ports/-', { name: 'b', port: 81 })],
    }));
    const { client, namespace } = world;
    const spec = { ports: [{ name: 'a', port: 80 }] };
    const created = await client.create(Service, { metadata: { namespace, name: 'one' }, spec });
    expect(created.spec?.ports?.[1]).toEqual({
      name: 'b',
      port: 81,
      protocol: 'TCP',
      targetPort: 81,
    });
  });

  test('stock plugins see what a webhook has made of a pod', async () => {
    await using world = await install({ path: '/pod', resources: ['pods'] });
    world.server.answer('/pod', () => ({
      patch: [set('/spec/tolerations', [{ operator: 'Exists' }])],
    }));
    const { client, namespace } = world;
    const spec = { containers: [{ name: 'main', image: 'example.org/app' }] };
    const created = await client.create(Pod, { metadata: { namespace, name: 'one' }, spec });
    expect(created.spec?.tolerations).toEqual([{ operator: 'Exists' }]);
  });

  test('what a webhook makes of an object has to be valid', async () => {
    await using world = await install({ path: '/invalid' });
    world.server.answer('/invalid', () => ({ patch: [set('/data', { 'not a key': 'x' })] }));
    const { client, namespace } = world;
    const creation = client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    expect(await rejection(creation)).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  test('a patch that cannot be applied is an internal error, whatever the failure policy', async () => {
    await using world = await install({ path: '/unfit', failurePolicy: 'Ignore' });
    world.server.answer('/unfit', () => ({ patch: [set('/data/deep/er', 'x')] }));
    const { client, namespace } = world;
    const creation = client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    expect(await rejection(creation)).toMatchObject({ code: 500, reason: 'InternalError' });
  });

  test('a patch needs its type', async () => {
    await using world = await install({ path: '/untyped' });
    const patch = Buffer.from('[]').toString('base64');
    world.server.answer('/untyped', () => ({ response: { patch } }));
    const { client, namespace } = world;
    const creation = client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    expect(await rejection(creation)).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: failed calling webhook "untyped.example.org": received invalid webhook response: webhook returned response.patch but not response.patchType',
    });
  });

  test('a dry run asks the webhook, says so, and stores nothing', async () => {
    await using world = await install({ path: '/dry', sideEffects: 'NoneOnDryRun' });
    world.server.answer('/dry', () => ({ patch: [set('/data', { dry: 'yes' })] }));
    const { client, namespace, server } = world;
    const metadata = { namespace, name: 'one' };
    const answered = await client.create(ConfigMap, { metadata }, { dryRun: true });
    expect(answered.data).toEqual({ dry: 'yes' });
    expect(server.asked('/dry').at(-1)).toMatchObject({ dryRun: true });
    expect(await client.get(ConfigMap, metadata)).toBeUndefined();
  });
}

function set(path: string, value: unknown): JsonPatchOperation {
  return { op: 'add', path, value };
}
