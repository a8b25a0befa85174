import { ConfigMap, mergePatch, Namespace, Role, RoleBinding } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { startInformer } from './informer.ts';
import { NamespacedInformers } from './namespaced-informers.ts';

const user = { name: 'watcher', groups: [] };
const watched = { metadata: { labels: { watched: 'true' } } };

async function startWorld() {
  const cluster = await startTestCluster({ namespaces: ['a', 'b', 'c'] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const { admin, clock, random, faults } = cluster;
  const shared = { clock, random, log: silentLogger };
  const namespaces = startInformer({
    ...shared,
    client: admin,
    kind: Namespace,
    selection: { labelSelector: 'watched=true' },
  });
  const client = cluster.clientWithRightsOf(user, 'watcher');
  const cache = new NamespacedInformers({
    ...shared,
    client,
    kind: ConfigMap,
    namespaces,
    selection: { labelSelector: 'kind=wanted' },
    indexes: { colour: ({ data }) => [data?.colour ?? ''] },
  });
  onTestFinished(async () => {
    await cache[Symbol.asyncDispose]();
    await namespaces[Symbol.asyncDispose]();
  });
  return {
    admin,
    clock,
    faults,
    cache,
    label: (name: string, value: string | null) => {
      const change = { metadata: { labels: { watched: value } } };
      return admin.patch(Namespace, { name }, mergePatch(change));
    },
    create: (namespace: string, name: string, colour = 'red') =>
      admin.create(ConfigMap, {
        metadata: { namespace, name, labels: { kind: 'wanted' } },
        data: { colour },
      }),
    async grant(namespace: string) {
      const metadata = { namespace, name: 'watcher' };
      const apiGroup = 'rbac.authorization.k8s.io';
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
      await admin.create(Role, { metadata, rules });
      await admin.create(RoleBinding, {
        metadata,
        roleRef: { apiGroup, kind: 'Role', name: 'watcher' },
        subjects: [{ apiGroup, kind: 'User', name: user.name }],
      });
    },
  };
}

let world: Awaited<ReturnType<typeof startWorld>>;
beforeEach(async () => {
  world = await startWorld();
  await world.grant('a');
  await world.admin.patch(Namespace, { name: 'a' }, mergePatch(watched));
  await world.create('a', 'one');
  await world.create('b', 'elsewhere');
  await world.clock.settle();
});

const names = () => world.cache.list().map(({ metadata }) => metadata.name);

describe('NamespacedInformers', () => {
  test('show the selected objects of the namespaces, and ask for no others', async () => {
    expect(names()).toEqual(['one']);
    expect(world.cache.get({ namespace: 'a', name: 'one' })).toBeDefined();
    expect(world.cache.get({ namespace: 'b', name: 'elsewhere' })).toBeUndefined();
    expect(world.cache.byIndex('colour', 'red')).toHaveLength(1);
    expect(world.cache.byIndex('colour', 'blue')).toEqual([]);
    const asked = world.faults.calls.filter(({ resource }) => resource === 'configmaps');
    expect(new Set(asked.map(({ namespace }) => namespace))).toEqual(new Set(['a']));
  });

  test('follow namespaces that come and go, and tell their objects as adds and deletes', async () => {
    const heard: string[] = [];
    world.cache.subscribe({
      onAdd: ({ metadata }) => heard.push(`add ${metadata.name}`),
      onUpdate: (_, { metadata }) => heard.push(`update ${metadata.name}`),
      onDelete: ({ metadata }) => heard.push(`delete ${metadata.name}`),
    });
    await world.grant('b');
    await world.label('b', 'true');
    await world.clock.settle();
    expect(names()).toEqual(['one', 'elsewhere']);
    await world.label('b', null);
    await world.clock.settle();
    expect(names()).toEqual(['one']);
    await world.create('b', 'late');
    await world.clock.settle();
    expect(heard).toEqual(['add one', 'add elsewhere', 'delete elsewhere']);
  });

  test('keep showing the other namespaces while one cannot be listed', async () => {
    await world.label('c', 'true');
    await world.create('c', 'hidden');
    await world.clock.settle();
    expect(world.cache.hasSynced).toBe(true);
    expect(world.cache.isComplete('a')).toBe(true);
    expect(world.cache.isComplete('c')).toBe(false);
    expect(names()).toEqual(['one']);
    await world.grant('c');
    await world.clock.advance(60_000);
    expect(world.cache.isComplete('c')).toBe(true);
    expect(names()).toEqual(['one', 'hidden']);
  });

  test('end their watches with the namespace', async () => {
    await world.admin.delete(Namespace, { name: 'a' });
    await world.label('a', null);
    await world.clock.settle();
    world.faults.calls.length = 0;
    await world.clock.advance(10 * 60_000);
    expect(world.faults.calls.filter(({ resource }) => resource === 'configmaps')).toEqual([]);
  });

  test('read no namespace before it is readable, and none that is no longer', async () => {
    const { admin, clock, faults } = world;
    const random = () => 0.5;
    const shared = { clock, random, log: silentLogger };
    const client = admin;
    await using namespaces = startInformer({ ...shared, client, kind: Namespace });
    const readable = new Set<string>();
    const isReadable = ({ metadata }: Namespace) => readable.has(metadata?.name ?? '');
    await using cache = new NamespacedInformers({
      ...shared,
      client,
      kind: ConfigMap,
      namespaces,
      isReadable,
    });
    await clock.settle();
    expect(cache.isWatched('b')).toBe(false);
    expect(cache.list('b')).toEqual([]);
    readable.add('b');
    cache.recheck('b');
    cache.recheck('b');
    await clock.settle();
    expect(cache.list().map(({ metadata }) => metadata.name)).toContain('elsewhere');
    const lists = faults.calls.filter(
      ({ verb, namespace }) => verb === 'list' && namespace === 'b',
    );
    expect(lists.length).toBeLessThanOrEqual(1);
    readable.delete('b');
    cache.recheck('b');
    expect(cache.isWatched('b')).toBe(false);
    expect(cache.list()).toEqual([]);
  });
});
