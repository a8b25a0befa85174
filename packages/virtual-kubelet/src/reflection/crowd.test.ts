import { ConfigMap, sleep } from '@liqo/kube';
import { type ApiCall, faultOn, isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** `REFLECTED_CONFIG_MAPS=5000` tries so many. */
const crowd = Number(process.env.REFLECTED_CONFIG_MAPS ?? 150);
const providerTakesMs = 100;

const isConfigMapWrite = (call: ApiCall) => isWrite(call) && call.resource === 'configmaps';

async function copies(): Promise<readonly string[]> {
  const { items } = await world.away.admin.list(ConfigMap, { namespace: 'shop-rome' });
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('settings-'));
}

test('a pod does not wait behind ConfigMaps that are reflected', async () => {
  const { clock, away, home } = world;
  const before = () => sleep(clock, providerTakesMs);
  away.faults.plan = faultOn(isConfigMapWrite, { before });
  for (let nth = 0; nth < crowd; nth++) {
    const metadata = { namespace: 'shop', name: `settings-${nth}` };
    await home.admin.create(ConfigMap, { metadata, data: { mode: 'fast' } });
  }
  const startedMs = clock.monotonicMs();
  await world.runPod('web');
  expect(clock.monotonicMs() - startedMs).toBeLessThan(2_000);
  expect((await copies()).length).toBeLessThan(crowd);
  await world.until(async () => expect(await copies()).toHaveLength(crowd));
  const writes = away.faults.calls.filter(isConfigMapWrite);
  expect(new Set(writes.map(({ name }) => name)).size).toBe(writes.length);
});
