import { Client, ConfigMap } from '@liqo/kube';
import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.ts';
import { CrashPoint, type CrashPointOptions } from './crash-point.ts';
import { FaultyCalls } from './faulty-calls.ts';

/** A process that writes three objects, one after the other, reading in between. */
async function startProcess(options: CrashPointOptions) {
  const world = await startTestCluster({ namespaces: ['shop'] });
  const { clock, random, cluster, admin } = world;
  const crash = new CrashPoint(options);
  const faults = new FaultyCalls({ clock, plan: crash.plan });
  const user = { name: 'process', groups: ['system:masters'] };
  const transport = faults.under(cluster.transportFor(user), user.name);
  const client = new Client({ transport, clock, random });
  const run = async () => {
    for (const name of ['a', 'b', 'c']) {
      await client.get(ConfigMap, { namespace: 'shop', name });
      await client.create(ConfigMap, { metadata: { namespace: 'shop', name } });
    }
  };
  const written = async () => (await admin.list(ConfigMap, { namespace: 'shop' })).items.length;
  return { ...world, crash, faults, client, run, written };
}

test.each([
  [1, 'before', 0],
  [1, 'after', 1],
  [2, 'before', 1],
  [3, 'after', 3],
] as const)('CrashPoint at write %d, %s its effect', async (at, when, effects) => {
  await using world = await startProcess({ at, when });
  let outcome = 'none';
  void world.run().then(
    () => (outcome = 'done'),
    () => (outcome = 'failed'),
  );
  await world.crash.happened;
  await world.clock.settle();
  expect(await world.written()).toBe(effects);
  expect(outcome).toBe('none');
  expect(world.faults.calls).toHaveLength(2 * at);
});

test('CrashPoint is for good: nothing arrives any more, and nothing is heard', async () => {
  await using world = await startProcess({ at: 1, when: 'before' });
  void world.run().catch(() => undefined);
  await world.crash.happened;
  let heard = false;
  const metadata = { namespace: 'shop', name: 'zombie' };
  void world.client.create(ConfigMap, { metadata }).catch(() => {
    heard = true;
  });
  await world.clock.advance(10_000);
  expect(heard).toBe(false);
  expect(await world.written()).toBe(0);
});

test('CrashPoint silences the watches that were open', async () => {
  await using world = await startProcess({ at: 1, when: 'after' });
  const { client, clock, admin } = world;
  const { resourceVersion } = await client.list(ConfigMap, { namespace: 'shop' });
  const seen: string[] = [];
  const stop = new AbortController();
  const watch = async () => {
    const options = { namespace: 'shop', resourceVersion };
    for await (const event of client.watch(ConfigMap, options, stop.signal)) {
      if (event.type === 'ADDED') seen.push(event.object.metadata.name);
    }
  };
  const watching = watch();
  const put = async (name: string) => {
    await admin.create(ConfigMap, { metadata: { namespace: 'shop', name } });
    await clock.settle();
  };
  await put('before');
  void world.run().catch(() => undefined);
  await world.crash.happened;
  await put('after');
  await clock.advance(60_000);
  expect(seen).toEqual(['before']);
  stop.abort();
  await watching;
});

test('CrashPoint never happens to a process that makes fewer calls, and counts them', async () => {
  await using world = await startProcess({ at: 4, when: 'after' });
  await world.run();
  expect(world.crash.hasHappened).toBe(false);
  expect(world.crash.counted).toBe(3);
});

test('CrashPoint may count reads as well', async () => {
  await using world = await startProcess({ at: 2, when: 'after', counts: () => true });
  void world.run().catch(() => undefined);
  await world.crash.happened;
  expect(world.faults.calls.map(({ verb }) => verb)).toEqual(['get', 'create']);
});
