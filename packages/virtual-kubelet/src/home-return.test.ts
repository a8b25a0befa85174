import { jsonPatch, Pod } from '@liqo/kube';
import { always, type Fault, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from './testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const boundMs = 10_000;

async function restartsAtHome(): Promise<number | undefined> {
  return (await world.pod('web'))?.status?.containerStatuses?.[0]?.restartCount;
}

/** The container of the pod has been started again over there. */
async function restartRemotely(): Promise<void> {
  const path = '/status/containerStatuses/0/restartCount';
  const patch = jsonPatch([{ op: 'replace', path, value: 1 }]);
  const key = { namespace: 'shop-rome', name: 'web' };
  await world.away.admin.patch(Pod, key, patch, { subresource: 'status' });
}

async function timeUntilSaid(): Promise<number> {
  const startedMs = world.clock.monotonicMs();
  const passedMs = () => world.clock.monotonicMs() - startedMs;
  while ((await restartsAtHome()) !== 1 && passedMs() < 10 * boundMs) await world.pass(250);
  return passedMs();
}

describe.each([25, 40])('a control plane at home that was away for %i s', (seconds) => {
  test.each<[string, Fault]>([
    ['was silent', { ...lostRequest('reset'), requestTakesMs: 6_000 }],
    ['answered 500', refusal(500)],
  ])('because it %s knows within ten seconds what happened meanwhile', async (_, fault) => {
    const { metadata } = await world.runPod('web');
    world.home.faults.plan = always(fault);
    await restartRemotely();
    await world.pass(seconds * 1_000);
    expect(await restartsAtHome()).toBe(0);
    world.home.faults.plan = noFaults;
    expect(await timeUntilSaid()).toBeLessThanOrEqual(boundMs);
    expect((await world.readiness())?.status).toBe('True');
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
  });
});
