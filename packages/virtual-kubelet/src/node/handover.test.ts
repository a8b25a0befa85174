import { Lease, parseTime } from '@liqo/kube';
import { always, lostRequest, ofCaller } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startWorld } from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const key = { namespace: 'kube-node-lease', name: 'mynode' };

async function lease() {
  const { spec } = (await world.home.admin.get(Lease, key)) ?? {};
  return { holder: spec?.holderIdentity ?? '', renewedMs: parseTime(String(spec?.renewTime)) };
}

async function untilReady(): Promise<void> {
  await world.until(async () => expect((await world.readiness())?.status).toBe('True'));
}

/** How long Kubernetes heard nothing from the node until `next` took over, in the worst moment. */
async function longestSilence(next: string): Promise<number> {
  let longestMs = 0;
  for (let last = await lease(); last.holder !== next; ) {
    await world.pass(1_000);
    const now = await lease();
    longestMs = Math.max(longestMs, world.clock.now() - last.renewedMs);
    expect((await world.readiness())?.status).toBe('True');
    expect(longestMs).toBeLessThan(200_000);
    last = now;
  }
  return longestMs;
}

describe('two kubelets of one node', () => {
  test('only one of them is at work', async () => {
    world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.runPod('web');
    const { calls } = world.home.faults;
    const isOfTwo = calls.filter(({ who, resource }) => who === 'two' && !/leases/.test(resource));
    expect(isOfTwo).toEqual([]);
  });

  test('one that ends hands over at once, and the node stays ready', async () => {
    const one = world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.runPod('web');
    const before = await world.remotePod('web');
    await world.pass(15_000);
    await world.stop(one);
    expect(await longestSilence('two')).toBeLessThan(40_000);
    await world.pass(15_000);
    expect((await world.readiness())?.status).toBe('True');
    expect(await world.remotePod('web')).toEqual(before);
    expect(await world.runPod('more')).toBeDefined();
  });

  test('one that dies is followed before Kubernetes finds the node lost', async () => {
    world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.pass(25_000);
    world.home.faults.plan = ofCaller('one', always(lostRequest('stall')));
    expect(await longestSilence('two')).toBeLessThan(50_000);
    await world.pass(30_000);
    expect((await world.readiness())?.status).toBe('True');
  });
});
