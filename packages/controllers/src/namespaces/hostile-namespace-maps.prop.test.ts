import { annotations, finalizers, labels, NamespaceMap } from '@liqo/api';
import { ClusterRole, keyString, mergePatch, Namespace, RoleBinding } from '@liqo/kube';
import { isWrite } from '@liqo/testkit/faults';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ofPeers } from '../selections.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { NamespaceMapReconciler } from './reconcile-namespace-map.ts';

/** Some of the runs that play with plain values. */
const worlds = Math.ceil(Number(process.env.HOSTILE_RUNS ?? 1_500) / 500);
const mapsOfWorld = 20;
const timeout = 120_000 + worlds * mapsOfWorld * 1_000;

const key = { namespace: 'liqo-tenant-rome', name: 'milan' };
const foreign = ['taken', 'argocd'];
const kept = /^(kube-|liqo-tenant-|default$|liqo$)/;

const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'shop',
      'shop-rome',
      'default',
      'kube-system',
      'kube-evil',
      'liqo',
      'liqo-tenant-oslo',
      ...foreign,
      '__proto__',
      'constructor',
      '',
      '..',
      '../kube-system',
      'shop?dryRun=All',
      'shop%2f..',
      'Shop',
      'shop\u0000',
      'x'.repeat(63),
    ),
  },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z]{1,3}$/) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
);

/** As `JSON.parse` makes it: every key is a member of its own. */
const mappings = fc
  .uniqueArray(fc.tuple(names, names), { selector: ([local]) => local, maxLength: 8 })
  .map((pairs) => Object.fromEntries(pairs));

async function startWorld() {
  const world = await startQuietWorld([key.namespace], [NamespaceMap]);
  const { admin, client, run, cacheOf, faults } = world;
  const marks = { [labels.remoteClusterID]: 'rome', [labels.tenantNamespace]: 'true' };
  await admin.patch(
    Namespace,
    { name: key.namespace },
    mergePatch({ metadata: { labels: marks } }),
  );
  for (const name of foreign) await admin.create(Namespace, { metadata: { name } });
  const metadata = { ...key, finalizers: [finalizers.namespaceMap] };
  await admin.create(NamespaceMap, { metadata, spec: { desiredMapping: {} } });
  const reconcile = async () => {
    const caches = {
      maps: await cacheOf(NamespaceMap),
      bindings: await cacheOf(RoleBinding),
      customRoles: await cacheOf(ClusterRole),
      namespaces: await cacheOf(Namespace, { selection: ofPeers }),
    };
    const reconciler = new NamespaceMapReconciler({
      client,
      podSecurity: 'baseline',
      liqoNamespace: 'liqo',
      tenantLimits: { namespaces: 30, pods: 10, slices: 5 },
      namespacePatterns: ['*'],
      ...caches,
    });
    return reconciler.reconcile(key, run);
  };
  return { ...world, faults, reconcile };
}

test('a hostile NamespaceMap changes nothing but the namespaces of its consumer', {
  timeout,
}, async () => {
  let acceptedInAll = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(mappings, { minLength: mapsOfWorld, maxLength: mapsOfWorld }),
      async (maps) => {
        await using world = await startWorld();
        const { admin, faults, reconcile } = world;
        for (const desiredMapping of maps) {
          const map = await admin.get(NamespaceMap, key);
          if (!map) throw new Error('Cannot find the NamespaceMap');
          await admin.update(NamespaceMap, { ...map, spec: { desiredMapping } });
          await reconcile();
          const { currentMapping = {} } = (await admin.get(NamespaceMap, key))?.status ?? {};
          const accepted = Object.values(currentMapping).filter(
            ({ phase }) => phase === 'Accepted',
          );
          acceptedInAll += accepted.length;
          for (const { remoteNamespace = '' } of accepted) {
            const found = await admin.get(Namespace, { name: remoteNamespace });
            expect(found?.metadata.annotations?.[annotations.managedByNamespaceMap]).toBe(
              keyString(key),
            );
          }
        }
        for (const { verb, resource, namespace, name = '' } of faults.calls.filter(isWrite)) {
          const place = resource.startsWith('namespaces') ? name : (namespace ?? '');
          const isOwn = place === key.namespace || !kept.test(place);
          if (!isOwn || foreign.includes(place))
            expect({ verb, resource, namespace, name }).toEqual({});
        }
        const { items } = await admin.list(Namespace);
        expect(items.map(({ metadata }) => metadata.name)).toEqual(
          expect.arrayContaining([...foreign, key.namespace]),
        );
      },
    ),
    { numRuns: worlds, seed: 21, endOnFailure: true },
  );
  expect(acceptedInAll).toBeGreaterThan(10);
});
