import { findCondition, mergePatch, Pod } from '@liqo/kube';
import { always, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const boundMs = 10_000;
const key = { namespace: 'shop', name: 'web' };

async function isAsWanted(tier: string): Promise<boolean> {
  const [node, pod, shadowPod] = await Promise.all([
    world.readiness(),
    world.pod('web'),
    world.shadowPod('web'),
  ]);
  const isReady = findCondition(pod?.status?.conditions, 'Ready')?.status === 'True';
  return isReady && node?.status === 'True' && shadowPod?.metadata.labels?.tier === tier;
}

/** How long it takes, at most: in steps of a quarter of a second. */
async function timeUntilWanted(tier: string): Promise<number> {
  const startedMs = world.clock.monotonicMs();
  while (!(await isAsWanted(tier))) {
    await world.pass(250);
    const passedMs = world.clock.monotonicMs() - startedMs;
    if (passedMs > 10 * boundMs) return passedMs;
  }
  return world.clock.monotonicMs() - startedMs;
}

describe.each([12, 20, 60])('a provider that was away for %i s', (seconds) => {
  test.each([
    ['refused connections', lostRequest('refuse')],
    ['was silent', { ...lostRequest('reset'), requestTakesMs: 6_000 }],
    ['answered 500', refusal(500)],
  ])('because it %s has everything within ten seconds of its return', async (_, fault) => {
    await world.runPod('web');
    world.away.faults.plan = always(fault);
    const change = { metadata: { labels: { tier: 'gold' } } };
    await world.home.admin.patch(Pod, key, mergePatch(change));
    await world.pass(seconds * 1_000);
    world.away.faults.plan = noFaults;
    expect(await timeUntilWanted('gold')).toBeLessThanOrEqual(boundMs);
  });
});

test('A provider that does not answer is asked about once a second, one that does every ten', async () => {
  const { calls } = world.away.faults;
  const looks = () => calls.filter(({ path }) => path === '/livez').length;
  const before = looks();
  await world.pass(100_000);
  expect(looks() - before).toBeLessThanOrEqual(12);
  world.away.faults.plan = always(lostRequest('refuse'));
  await world.pass(60_000);
  const asked = looks();
  await world.pass(100_000);
  expect(looks() - asked).toBeLessThanOrEqual(115);
});
