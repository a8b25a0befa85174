import { Pod } from '@liqo/kube';
import { startWorld, type World } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEverything } from './install/list-everything.ts';
import { runLiqoctlHere } from './install/run-liqoctl-here.ts';
import { kubectl } from './real-nodes/kubectl.ts';

/** `liqoctl install` and `uninstall` on a real cluster with a real node. */
let world: World<RealCluster>;
let cluster: RealCluster;
let before: readonly string[];

const timeoutMs = 240_000;
const patience = { timeoutMs: 60_000, intervalMs: 200 };
const installation = 'install --set image.pullPolicy=Never';

function liqoctl(line: string) {
  return runLiqoctlHere(line.split(' '), cluster.kubeconfig);
}

beforeAll(async () => {
  const install = async (into: RealCluster) => {
    cluster = into;
    await eventually(
      () => kubectl(cluster, '-n default get serviceaccount/default configmap/kube-root-ca.crt'),
      patience,
    );
    before = await listEverything(cluster);
    const outcome = await liqoctl(`${installation} --cluster-id rome`);
    expect(outcome).toMatchObject({ code: 0, stdout: '' });
  };
  const kubernetes = realKubernetes({ clock: systemClock, install });
  world = await startWorld({ kubernetes, consumer: 'rome', providers: [] });
}, timeoutMs);

afterAll(() => world?.[Symbol.asyncDispose]());

/** The UIDs of the pods of the installation, or of one of its components. */
async function listPods(component?: string): Promise<readonly string[]> {
  const labelSelector = component && `app.kubernetes.io/name=${component}`;
  const { items } = await cluster.client.list(Pod, { namespace: 'liqo', labelSelector });
  return items.map(({ metadata }) => metadata.uid).sort();
}

test('liqoctl doctor is content with the installation', async () => {
  expect(await liqoctl('doctor')).toMatchObject({ code: 0, stderr: '' });
});

test('liqoctl install changes nothing when it is repeated', async () => {
  const pods = await listPods();
  expect(await listPods('controller-manager')).toHaveLength(1);
  expect(await listPods('webhook')).toHaveLength(2);
  const { code, stderr } = await liqoctl(installation);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toMatch(/0 kinds created, 0 changed/);
  expect(stderr).toMatch(/0 objects created, 0 changed/);
  expect(await listPods()).toEqual(pods);
});

test('liqoctl install upgrades in place, and keeps the pods that are as wanted', async () => {
  const pods = await listPods();
  const line = `${installation} --set controllerManager.replicas=2`;
  const { code, stderr } = await liqoctl(line);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  // The Deployment, and what the installation was told.
  expect(stderr).toMatch(/0 objects created, 2 changed/);
  expect(stderr).toContain('changed Deployment "liqo-controller-manager" (spec.replicas)');
  expect(await listPods()).toEqual(expect.arrayContaining([...pods]));
  expect(await listPods('controller-manager')).toHaveLength(2);
});

test('liqoctl uninstall leaves the kinds, and --purge leaves nothing', async () => {
  const { code, stderr } = await liqoctl('uninstall --skip-confirm');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const kept = (await listEverything(cluster)).filter((name) => !before.includes(name));
  expect(kept.filter((name) => name.startsWith('Deployment '))).toEqual([]);
  const startedMs = systemClock.monotonicMs();
  const purge = await liqoctl('uninstall --purge --skip-confirm');
  expect(purge).toMatchObject({ code: 0 });
  expect(systemClock.monotonicMs() - startedMs).toBeLessThan(60_000);
  await eventually(async () => {
    const left = (await listEverything(cluster)).filter((name) => !before.includes(name));
    expect(left).toEqual([]);
  }, patience);
});
