import {
  type Client,
  ConfigMap,
  defineKind,
  jsonPatch,
  type KubeObject,
  MutatingWebhookConfiguration,
  mergePatch,
  Namespace,
  Pod,
  PriorityClass,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { type Hook, startWebhookWorld } from './install-webhooks.ts';
import { freshNamespace, type GetSubject } from './subject.ts';
import type { WebhookServer } from './webhook-server.ts';

/** Which requests a webhook is asked about. */
export function webhookSelection(subject: GetSubject, getServer: () => WebhookServer): void {
  const install = async (...hooks: readonly Hook[]) => {
    const world = await startWebhookWorld(subject(), getServer(), 'validating', hooks);
    const { client, namespace, server } = world;
    const create = (name: string, labels: Record<string, string> = {}) =>
      client.create(ConfigMap, { metadata: { namespace, name, labels }, data: { size: '3' } });
    const names = (path: string) => server.asked(path).map((request) => request.name);
    return { ...world, create, names };
  };

  test('a namespace selector leaves other namespaces out', async () => {
    await using world = await install({ path: '/namespace' });
    const elsewhere = await freshNamespace(subject());
    await world.client.create(ConfigMap, { metadata: { namespace: elsewhere, name: 'there' } });
    await world.create('here');
    expect(world.names('/namespace')).toEqual(['here']);
  });

  test('an object selector looks at the labels before and after', async () => {
    const objectSelector = { matchLabels: { watched: 'yes' } };
    await using world = await install({ path: '/object', objectSelector });
    const { client, namespace, server } = world;
    await world.create('plain');
    await world.create('labelled', { watched: 'yes' });
    const key = { namespace, name: 'labelled' };
    const unlabel = mergePatch({ metadata: { labels: { watched: null } } });
    await client.patch(ConfigMap, key, unlabel);
    await client.patch(ConfigMap, key, mergePatch({ data: { size: '4' } }));
    const asked = server.asked('/object').map(({ name, operation }) => `${operation} ${name}`);
    expect(asked).toEqual(['CREATE labelled', 'UPDATE labelled']);
  });

  test('only the operations of a rule are asked about', async () => {
    await using world = await install({ path: '/operation', operations: ['DELETE'] });
    await world.create('one');
    await world.client.delete(ConfigMap, { namespace: world.namespace, name: 'one' });
    expect(world.server.asked('/operation').map(({ operation }) => operation)).toEqual(['DELETE']);
  });

  const subresources: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['a resource is not its subresources', ['pods'], ['']],
    ['a subresource is named after a slash', ['pods/status'], ['status']],
    ['a star after the slash is all subresources', ['pods/*'], ['', 'status']],
    ['a star before the slash is any resource', ['*/status'], ['status']],
    ['two stars are everything', ['*/*'], ['', 'status']],
  ];
  test.each(subresources)('in rules %s', async (_, resources, expected) => {
    await using world = await install({ path: '/sub', resources });
    const { client, namespace, server } = world;
    const key = { namespace, name: 'one' };
    const asked = server.asked('/sub').length;
    const spec = { containers: [{ name: 'main', image: 'example.org/app' }] };
    await client.create(Pod, { metadata: key, spec });
    const patch = mergePatch({ status: { message: 'hello' } });
    await client.patch(Pod, key, patch, { subresource: 'status' });
    const requests = server.asked('/sub').slice(asked);
    expect(requests.map(({ subResource = '' }) => subResource)).toEqual(
      expect.arrayContaining([...expected]),
    );
    const others = ['', 'status'].filter((one) => !expected.includes(one));
    for (const { subResource = '' } of requests) expect(others).not.toContain(subResource);
  });

  test('another group is another resource', async () => {
    await using world = await install({ path: '/group', groups: ['apps'], resources: ['*'] });
    await world.create('one');
    expect(world.server.asked('/group')).toEqual([]);
  });

  test('scope tells namespaced objects from others', async () => {
    await using world = await install(
      { path: '/cluster', scope: 'Cluster', resources: ['*'] },
      { path: '/namespaced', scope: 'Namespaced', resources: ['*'] },
    );
    await world.create('one');
    const patch = mergePatch({ metadata: { labels: { touched: 'yes' } } });
    await world.client.patch(Namespace, { name: world.namespace }, patch);
    expect(world.names('/cluster')).toEqual([world.namespace]);
    expect(world.names('/namespaced')).toContain('one');
    expect(world.names('/namespaced')).not.toContain(world.namespace);
  });

  test('a namespace is selected by its own labels, even before it exists', async () => {
    const { client } = subject();
    const namespaceSelector = { matchExpressions: [{ key: 'asked-for', operator: 'Exists' }] };
    await using world = await install({
      path: '/itself',
      resources: ['namespaces'],
      namespaceSelector,
    });
    const labels = { 'asked-for': 'yes' };
    const create = (metadata: object) => client.create(Namespace, { metadata }, { dryRun: true });
    await create({ name: `${world.namespace}-a`, labels });
    await create({ name: `${world.namespace}-b` });
    const [request] = world.server.asked('/itself');
    expect(request).toMatchObject({
      name: `${world.namespace}-a`,
      namespace: `${world.namespace}-a`,
    });
    expect(world.server.asked('/itself')).toHaveLength(1);
  });

  test('a namespace selector never leaves out what is in no namespace', async () => {
    const { client } = subject();
    const objectSelector = { matchLabels: { asked: 'yes' } };
    const groups = ['scheduling.k8s.io'];
    const resources = ['priorityclasses'];
    await using world = await install({ path: '/nowhere', groups, resources, objectSelector });
    const name = `class-${world.namespace}`;
    await client.create(PriorityClass, { metadata: { name, labels: { asked: 'yes' } }, value: 7 });
    await client.delete(PriorityClass, { name });
    expect(world.names('/nowhere')).toContain(name);
  });

  test('webhooks have no say about webhooks', async () => {
    const { client } = subject();
    const groups = ['admissionregistration.k8s.io'];
    await using world = await install({ path: '/exempt', groups, resources: ['*'] });
    world.server.answer('/exempt', () => ({ allowed: false }));
    const metadata = { name: `exempt-${world.namespace}` };
    await client.create(MutatingWebhookConfiguration, { metadata });
    await client.delete(MutatingWebhookConfiguration, metadata);
    expect(world.server.asked('/exempt')).toEqual([]);
  });

  const conditions: readonly (readonly [string, string, boolean])[] = [
    ['looks into the object', 'object.data.size == "3"', true],
    ['leaves out', 'object.data.size == "4"', false],
    ['asks for absent fields', 'has(object.data.colour)', false],
    [
      'knows the request',
      'request.operation == "CREATE" && request.resource.resource == "configmaps"',
      true,
    ],
    ['knows who asks', '"system:authenticated" in request.userInfo.groups', true],
    ['knows that there was nothing before', 'oldObject == null', true],
    [
      'uses functions',
      'object.metadata.name.startsWith("o") && object.data.exists(k, k == "size")',
      true,
    ],
    ['goes without what may be missing', 'object.?metadata.?labels.orValue({}) == {}', true],
  ];
  test.each(conditions)('a match condition %s: %s', async (_, expression, isAsked) => {
    const matchConditions = [{ name: 'test', expression }];
    await using world = await install({ path: '/condition', matchConditions });
    const before = world.names('/condition').length;
    await world.create('one');
    expect(world.names('/condition').slice(before)).toEqual(isAsked ? ['one'] : []);
  });

  test('all match conditions have to hold, and one that does not is enough', async () => {
    const matchConditions = [
      { name: 'broken', expression: 'object.data.colour == "red"' },
      { name: 'no', expression: 'object.data.size == "4"' },
    ];
    await using world = await install({ path: '/conditions', matchConditions });
    await world.create('one');
    expect(world.names('/conditions')).toEqual([]);
  });

  test('a match condition that fails is a refusal', async () => {
    const expression = 'object.data.colour == "red"';
    const matchConditions = [{ name: 'broken', expression }];
    await using world = await install({ path: '/broken', matchConditions, operations: ['UPDATE'] });
    await world.create('one');
    const key = { namespace: world.namespace, name: 'one' };
    const patch = jsonPatch([{ op: 'add', path: '/data/size', value: '5' }]);
    expect(await rejection(world.client.patch(ConfigMap, key, patch))).toMatchObject({
      code: 403,
      message: `configmaps "one" is forbidden: expression '${expression}' resulted in error: no such key: colour`,
    });
  });

  test('a match condition that fails is passed over if failures are', async () => {
    const matchConditions = [{ name: 'broken', expression: 'object.data.colour == "red"' }];
    await using world = await install({
      path: '/broken-ignored',
      matchConditions,
      failurePolicy: 'Ignore',
    });
    await world.create('one');
    expect(world.names('/broken-ignored')).toEqual([]);
  });

  const createEvent = ({ client, namespace }: { client: Client; namespace: string }) => {
    const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'two' };
    const metadata = { namespace, name: 'one' };
    return client.create(CoreEvent, { metadata, involvedObject, reason: 'Tested' });
  };
  const newEvents = { groups: ['events.k8s.io'], resources: ['events'] };

  test('a rule is also about the same objects by another name', async () => {
    await using world = await install({ path: '/equivalent', ...newEvents });
    await createEvent(world);
    expect(world.server.asked('/equivalent').at(-1)).toMatchObject({
      kind: { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
      requestKind: { group: '', version: 'v1', kind: 'Event' },
      object: {
        apiVersion: 'events.k8s.io/v1',
        reason: 'Tested',
        regarding: { kind: 'ConfigMap' },
      },
    });
  });

  test('an exact rule is not', async () => {
    await using world = await install({ path: '/exact', matchPolicy: 'Exact', ...newEvents });
    await createEvent(world);
    expect(world.server.asked('/exact')).toEqual([]);
  });
}

interface CoreEvent extends KubeObject {
  readonly involvedObject: object;
  readonly reason: string;
}

const CoreEvent = defineKind<CoreEvent>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});
