import { ConfigMap, isExpired, type WatchEvent } from '@liqo/kube';
import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.ts';
import { isWatch } from './api-call.ts';
import { cutAfterLines, errorEvent, type Fault } from './fault.ts';
import { FaultScript } from './fault-script.ts';

/** Somebody who watches, whose first watches suffer these faults. */
async function startWatching(...script: readonly Fault[]) {
  const world = await startTestCluster({ namespaces: ['shop'] });
  const faults = new FaultScript();
  faults.next(isWatch, ...script);
  world.faults.plan = faults.plan;
  const alice = world.clientOf('alice');
  const { resourceVersion } = await alice.list(ConfigMap, { namespace: 'shop' });
  const [seen, ended]: [string[], unknown[]] = [[], []];
  const stop = new AbortController();
  const note = (event: WatchEvent<ConfigMap>) => {
    if (event.type === 'ADDED')
      seen.push(`${event.object.metadata.name} ${world.clock.monotonicMs()}`);
  };
  const watch = async () => {
    const options = { namespace: 'shop', resourceVersion };
    for await (const event of alice.watch(ConfigMap, options, stop.signal)) note(event);
  };
  const watching = watch().catch((error: unknown) => ended.push(error));
  await world.clock.settle();
  return {
    ...world,
    seen,
    ended,
    watches: () => world.faults.calls.filter(isWatch).length,
    add: async (name: string) => {
      await world.admin.create(ConfigMap, { metadata: { namespace: 'shop', name } });
      await world.clock.settle();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
      await world[Symbol.asyncDispose]();
    },
  };
}

test('A watch can have its events delayed', async () => {
  await using world = await startWatching({ eventsTakeMs: 3_000 });
  await world.add('a');
  await world.clock.advance(2_999);
  expect(world.seen).toEqual([]);
  await world.clock.advance(1);
  expect(world.seen).toEqual(['a 3000']);
});

test('A watch can be one event behind, for so long', async () => {
  await using world = await startWatching({ eventsLagMs: 3_000 });
  await world.add('a');
  await world.clock.advance(1_000);
  expect(world.seen).toEqual([]);
  await world.add('b');
  expect(world.seen).toEqual(['a 1000']);
  await world.clock.advance(2_999);
  expect(world.seen).toEqual(['a 1000']);
  await world.clock.advance(1);
  expect(world.seen).toEqual(['a 1000', 'b 4000']);
});

test.each(['end', 'reset'] as const)(
  'A watch that is cut after two events by "%s" is opened again from there',
  async (how) => {
    await using world = await startWatching(cutAfterLines(2, how));
    for (const name of ['a', 'b', 'c', 'd']) await world.add(name);
    await world.clock.advance(1_000);
    expect(world.seen.map((line) => line[0])).toEqual(['a', 'b', 'c', 'd']);
    expect(world.watches()).toBe(2);
  },
);

test('A watch that goes silent is given up in the end, and misses nothing', async () => {
  await using world = await startWatching(cutAfterLines(1, 'stall'));
  for (const name of ['a', 'b']) await world.add(name);
  await world.clock.advance(149_000);
  expect(world.seen).toHaveLength(1);
  await world.clock.advance(10_000);
  expect(world.seen).toHaveLength(2);
});

test('A watch that comes back to a server that has forgotten is told so with a 410', async () => {
  let meanwhile = async () => {};
  await using world = await startWatching(cutAfterLines(1, 'end'), { before: () => meanwhile() });
  meanwhile = async () => {
    await world.admin.create(ConfigMap, { metadata: { namespace: 'shop', name: 'b' } });
    world.cluster.forgetHistory();
  };
  await world.add('a');
  expect(world.seen).toHaveLength(1);
  expect(world.ended.map(isExpired)).toEqual([true]);
});

test('A watch can be told of a 410 in the middle', async () => {
  await using world = await startWatching(errorEvent(410, 'Expired'));
  await world.add('a');
  expect(world.ended.map(isExpired)).toEqual([true]);
});
