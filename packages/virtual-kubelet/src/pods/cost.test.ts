import { Pod } from '@liqo/kube';
import { chooseFreePort } from '@liqo/testkit';
import { type ApiCall, isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const names = ['web-1', 'web-2', 'web-3'];

/** What the kubelet asked of both clusters since the calls were last forgotten: how often, by verb and resource. */
function asked(which: (call: ApiCall) => boolean): Record<string, number> {
  const { home, away } = world;
  const calls = [
    ...home.faults.callsOf('kubelet').map((call) => ({ ...call, at: 'home' })),
    ...away.faults.callsOf('rome').map((call) => ({ ...call, at: 'away' })),
  ].filter(which);
  const counts: Record<string, number> = {};
  for (const { at, verb, resource } of calls) {
    const what = `${at} ${verb} ${resource}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** The size of what the kubelet sent to both clusters since the calls were last forgotten. */
function sentBytes(): number {
  const { home, away } = world;
  const calls = [...home.faults.callsOf('kubelet'), ...away.faults.callsOf('rome')];
  return calls
    .filter((call) => isAboutOne(call) && isAboutPods(call))
    .reduce((sum, { body = '' }) => sum + body.length, 0);
}

function forgetCalls(): void {
  world.home.faults.calls.length = 0;
  world.away.faults.calls.length = 0;
}

const isLease = ({ resource }: ApiCall) => resource.startsWith('leases');
const isOtherWrite = (call: ApiCall) => isWrite(call) && !isLease(call);
/** Watches and lists are for all pods together. */
const isAboutOne = (call: ApiCall) => isWrite(call) || call.verb === 'get';
const isAboutPods = ({ resource }: ApiCall) => /^(pods|shadowpods\.)/.test(resource);

describe('what a pod costs', () => {
  test('is one write here and one over there, until it runs', async () => {
    forgetCalls();
    for (const name of names) await world.runPod(name);
    await world.pass(10_000);
    expect(asked((call) => isAboutOne(call) && isAboutPods(call))).toEqual({
      'home patch pods/status': names.length,
      'away create shadowpods.offloading.liqo.io': names.length,
    });
  });

  test('is two kilobytes that are sent for a small one, until it runs', async () => {
    forgetCalls();
    for (const name of names) await world.runPod(name);
    await world.pass(10_000);
    expect(sentBytes() / names.length).toBeGreaterThan(1_000);
    expect(sentBytes() / names.length).toBeLessThan(2_000);
  });

  test('is its end, written here and asked for over there, and two looks before it is let go', async () => {
    for (const name of names) await world.runPod(name);
    forgetCalls();
    for (const name of names) await world.home.admin.delete(Pod, { namespace: 'shop', name });
    await world.until(async () => {
      for (const name of names) expect(await world.pod(name)).toBeUndefined();
    });
    await world.pass(10_000);
    expect(asked((call) => isAboutOne(call) && isAboutPods(call))).toEqual({
      'home delete pods': names.length,
      'away delete shadowpods.offloading.liqo.io': names.length,
      'away get shadowpods.offloading.liqo.io': names.length,
      'away get pods': names.length,
    });
  });
});

describe('a virtual node', () => {
  const minutes = 10;

  test('writes no more than its lease and a word now and then at rest, however many its pods', async () => {
    for (const name of names) await world.runPod(name);
    await world.pass(60_000);
    forgetCalls();
    await world.pass(minutes * 60_000);
    const writes = Object.values(asked(isWrite)).reduce((sum, count) => sum + count, 0);
    expect(writes / (minutes * 60)).toBeLessThanOrEqual(0.15);
    expect(Object.keys(asked(isOtherWrite))).toEqual(['home patch nodes/status']);
  });

  test('writes nothing but its lease after a restart with nothing changed', async () => {
    const port = await chooseFreePort('127.0.0.1');
    const endpoint = { host: '127.0.0.1', port, certificateType: 'kubelet' } as const;
    await world.stop(world.kubelet);
    const first = await world.startWorkingKubelet({ endpoint });
    for (const name of names) await world.runPod(name);
    await world.stop(first);
    forgetCalls();
    await world.startWorkingKubelet({ endpoint });
    await world.pass(60_000);
    expect(asked(isOtherWrite)).toEqual({});
  });
});
