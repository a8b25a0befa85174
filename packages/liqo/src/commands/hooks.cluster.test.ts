import { allKinds, forgeCustomResourceDefinition, VirtualNode } from '@liqo/api';
import { CustomResourceDefinition, mergePatch, Namespace } from '@liqo/kube';
import { defaultValues, forgeHooks, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { runLiqo } from '../run-liqo.ts';
import type { Surroundings } from '../surroundings.ts';

const namespace = 'liqo';
const values = { ...defaultValues, clusterID: 'rome' };
const rights = /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?)$/;
const definition = { name: 'virtualnodes.offloading.liqo.io' };

/** With the kinds, and what a release and its hooks are allowed. */
async function startInstalled(): Promise<TestCluster> {
  const world = await startTestCluster();
  for (const kind of allKinds) {
    await world.admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await world.clock.advance(10_000);
  const objects = [...forgeManifests(values), ...forgeHooks(values)];
  for (const object of objects.filter(({ kind = '' }) => rights.test(kind))) {
    await world.admin.create(kindOfManifest(object), object);
  }
  return world;
}

/** Runs a hook with the rights of its account. */
async function runHook(world: TestCluster, account: string, command: string) {
  const name = serviceAccountUserName({ namespace, name: account });
  const client = world.clientWithRightsOf(
    { name, groups: serviceAccountGroups(namespace) },
    'liqo',
  );
  const written = { stdout: '', stderr: '' };
  const around = {
    env: {},
    clock: world.clock,
    random: world.random,
    signal: new AbortController().signal,
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
    connectHome: async () => client,
  } as unknown as Surroundings;
  const code = await runLiqo([command], around);
  world.denied.refuse();
  return { code, ...written };
}

test('liqo upgrade-kinds writes missing and older kinds', async () => {
  await using world = await startInstalled();
  const { admin, clock } = world;
  const older = { spec: { names: { shortNames: ['old'] } } };
  await admin.patch(CustomResourceDefinition, definition, mergePatch(older));
  await admin.delete(CustomResourceDefinition, { name: 'quotas.offloading.liqo.io' });
  await clock.advance(10_000);
  const outcome = await runHook(world, 'liqo-upgrade-kinds', 'upgrade-kinds');
  expect(outcome).toEqual({
    code: 0,
    stdout: `${allKinds.length} kinds are those of this version\n`,
    stderr: '',
  });
  const { items } = await admin.list(CustomResourceDefinition);
  expect(items).toHaveLength(allKinds.length);
  const upgraded = await admin.get(CustomResourceDefinition, definition);
  expect(upgraded?.spec.names.shortNames).not.toEqual(['old']);
});

test('liqo check-unused fails while there is something that controllers have to take down', async () => {
  await using world = await startInstalled();
  const check = () => runHook(world, 'liqo-controller-manager', 'check-unused');
  expect(await check()).toEqual({ code: 0, stdout: 'Liqo is not in use\n', stderr: '' });
  await world.admin.create(Namespace, { metadata: { name: 'shop' } });
  await world.admin.create(VirtualNode, {
    metadata: { name: 'mypool', namespace: 'shop' },
    spec: { clusterID: 'milan' },
  });
  const { code, stderr } = await check();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Cannot uninstall Liqo: it is in use by 1 virtual nodes \(mypool\)/);
});
