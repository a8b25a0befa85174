import { allKinds, forgeCustomResourceDefinition } from '@liqo/api';
import { generateClusterKey } from '@liqo/controllers';
import { CustomResourceDefinition } from '@liqo/kube';
import { defaultValues, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';
import { silentLogger } from '@liqo/runtime';
import { startTestCluster } from '@liqo/testkit/cluster';
import { isWatch } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { startControllers } from './controller-manager.ts';

/** Without what differs from one time to the next. */
function watched(path: string): string {
  const { pathname, searchParams } = new URL(path, 'https://cluster');
  const selectors = ['labelSelector', 'fieldSelector'].map((name) => searchParams.get(name));
  return [pathname, ...selectors].join(' ');
}

const allModules = { authentication: true, offloading: true };

/** What the controllers watch, and how many timers they leave behind. */
async function watchedBy(modules: typeof allModules) {
  await using world = await startTestCluster();
  const { admin, clock, random, faults } = world;
  for (const kind of allKinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await clock.advance(10_000);
  const namespace = defaultValues.namespace;
  const rights = /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?)$/;
  const objects = forgeManifests({ ...defaultValues, clusterID: 'rome' });
  for (const object of objects.filter(({ kind = '' }) => rights.test(kind))) {
    await admin.create(kindOfManifest(object), object);
  }
  const name = serviceAccountUserName({ namespace, name: 'liqo-controller-manager' });
  const user = { name, groups: serviceAccountGroups(namespace) };
  const client = world.clientWithRightsOf(user, 'liqo');
  const events = { record: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  const timers = clock.pendingTimers;
  const controllers = startControllers(
    {
      client,
      clusterID: 'rome',
      liqoNamespace: namespace,
      clock,
      random,
      log: silentLogger,
      events,
      connectPeer: async () => client,
    },
    {
      podSecurity: 'baseline',
      drainTimeoutMs: 60_000,
      apiServer: { address: '', ca: '', isTrusted: false },
      newKey: () => generateClusterKey('ed25519'),
      reservedAddresses: 'forbidden',
      enforceQuotas: true,
      limitsEnforcement: 'None',
      defaultClass: { isEnabled: true, resources: {} },
      storage: { allowed: ['*'], defaultClass: '' },
      modules,
    },
  );
  await clock.advance(1_000);
  const watches = faults.calls.filter(isWatch).map(({ path }) => watched(path));
  await controllers[Symbol.asyncDispose]();
  world.denied.refuse();
  return { watches, timersLeft: clock.pendingTimers - timers };
}

test('startControllers() watches nothing twice, and nothing any more once it has ended', async () => {
  const { watches, timersLeft } = await watchedBy(allModules);
  expect(watches.length).toBeGreaterThan(10);
  expect(watches).toHaveLength(new Set(watches).size);
  expect(timersLeft).toBe(0);
});

test.each([
  ['authentication', 'renews', 'shadowpods'],
  ['offloading', 'shadowpods', 'renews'],
] as const)('startControllers() runs without the module %s', async (module, absent, present) => {
  const { watches } = await watchedBy({ ...allModules, [module]: false });
  expect(watches.some((path) => path.includes(`/${absent}`))).toBe(false);
  expect(watches.some((path) => path.includes(`/${present}`))).toBe(true);
});
