import {
  ClusterRole,
  ConfigMap,
  type DeleteOptions,
  type KubeObject,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { freshNamespace, type GetSubject, type Subject } from './subject.ts';

/** What becomes of objects whose owners go. */
export function garbageCollection(subject: GetSubject): void {
  describe('garbage collection', () => {
    test('dependents follow an owner that is deleted in the background', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      await family.make('child', [owner]);
      expect(await family.remove('owner', { propagationPolicy: 'Background' })).toBeUndefined();
      await family.untilNames([]);
    });

    test('dependents of dependents follow, too', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      const child = await family.make('child', [owner]);
      await family.make('grandchild', [child]);
      await family.remove('owner');
      await family.untilNames([]);
    });

    test('a dependent with another owner stays, and forgets the one that went', async () => {
      const family = await start(subject());
      const [owner, other] = [await family.make('owner'), await family.make('other')];
      await family.make('child', [owner, other]);
      await family.remove('owner');
      await eventually(async () => {
        const child = await family.get('child');
        expect(child?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['other']);
      });
    });

    test('a dependent whose owner never was is deleted', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      const stranger = { ...owner, metadata: { ...owner.metadata, uid: crypto.randomUUID() } };
      await family.make('child', [stranger]);
      await family.untilNames(['owner']);
    });

    test('an owner in another namespace is no owner', async () => {
      const family = await start(subject());
      const foreign = await (await start(subject())).make('owner');
      await family.make('child', [foreign]);
      await family.untilNames([]);
    });

    test('a cluster-scoped object may own one in a namespace', async () => {
      const { client } = subject();
      const family = await start(subject());
      const role = await client.create(ClusterRole, { metadata: { generateName: 'gc-' } });
      await family.make('child', [role]);
      await family.make('witness', [await family.make('witness-owner')]);
      await family.remove('witness-owner');
      await family.untilNames(['child']);
      await client.delete(ClusterRole, { name: role.metadata.name });
      await family.untilNames([]);
    });

    test('in the foreground, an owner waits for the dependents that block it', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      await family.make('child', [owner], { finalizers: ['example.org/hold'] });
      const lingering = await family.remove('owner', { propagationPolicy: 'Foreground' });
      expect(lingering?.metadata.finalizers).toEqual(['foregroundDeletion']);
      await eventually(async () => {
        expect((await family.get('child'))?.metadata.deletionTimestamp).toBeDefined();
      });
      expect(await family.get('owner')).toBeDefined();
      await family.patch('child', { finalizers: null });
      await family.untilNames([]);
    });

    test('in the foreground, an owner does not wait for dependents that do not block it', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      const finalizers = ['example.org/hold'];
      await family.make('child', [owner], { finalizers, blockOwnerDeletion: false });
      await family.remove('owner', { propagationPolicy: 'Foreground' });
      await family.untilNames(['child']);
      await eventually(async () => {
        expect((await family.get('child'))?.metadata.deletionTimestamp).toBeDefined();
      });
      await family.patch('child', { finalizers: null });
      await family.untilNames([]);
    });

    test('in the foreground, an owner waits no longer when it is deleted again, in the background', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      await family.make('child', [owner], { finalizers: ['example.org/hold'] });
      await family.remove('owner', { propagationPolicy: 'Foreground' });
      expect(await family.remove('owner', { propagationPolicy: 'Background' })).toBeUndefined();
      await family.untilNames(['child']);
      await family.patch('child', { finalizers: null });
      await family.untilNames([]);
    });

    test('in the foreground, the youngest generation goes first', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      const child = await family.make('child', [owner]);
      await family.make('grandchild', [child], { finalizers: ['example.org/hold'] });
      await family.remove('owner', { propagationPolicy: 'Foreground' });
      await eventually(async () => {
        const waiting = await family.get('child');
        expect(waiting?.metadata.finalizers).toEqual(['foregroundDeletion']);
        expect((await family.get('grandchild'))?.metadata.deletionTimestamp).toBeDefined();
      });
      await family.patch('grandchild', { finalizers: null });
      await family.untilNames([]);
    });

    test('orphaned dependents stay and have no owner', async () => {
      const family = await start(subject());
      const owner = await family.make('owner');
      await family.make('child', [owner]);
      const lingering = await family.remove('owner', { propagationPolicy: 'Orphan' });
      expect(lingering?.metadata.finalizers).toEqual(['orphan']);
      await family.untilNames(['child']);
      expect((await family.get('child'))?.metadata.ownerReferences).toBeUndefined();
    });
  });
}

interface ChildOptions {
  readonly finalizers?: string[];
  readonly blockOwnerDeletion?: boolean;
}

/** ConfigMaps that own each other, in a namespace of their own. */
async function start(subject: Subject) {
  const { client } = subject;
  const namespace = await freshNamespace(subject);
  const labels = { family: 'yes' };
  const make = (name: string, owners: Stored<KubeObject>[] = [], options: ChildOptions = {}) => {
    const { finalizers = [], blockOwnerDeletion = true } = options;
    const ownerReferences = owners.map(({ apiVersion, kind, metadata }) => {
      const { uid } = metadata;
      return { apiVersion, kind, name: metadata.name, uid, blockOwnerDeletion };
    });
    const metadata = { namespace, name, labels, finalizers, ownerReferences };
    return client.create(ConfigMap, { metadata });
  };
  return {
    make,
    get: (name: string) => client.get(ConfigMap, { namespace, name }),
    remove: (name: string, options: DeleteOptions = {}) =>
      client.delete(ConfigMap, { namespace, name }, options),
    patch: (name: string, metadata: { readonly finalizers: null }) =>
      client.patch(ConfigMap, { namespace, name }, mergePatch({ metadata })),
    untilNames: (names: readonly string[]) =>
      eventually(async () => {
        const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'family' });
        expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
      }),
  };
}
