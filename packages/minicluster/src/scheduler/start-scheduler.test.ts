import { type Client, Event, keyOf, Node, Pod } from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBareServer } from '../node/testing/start-bare-server.ts';
import { startScheduler } from './start-scheduler.ts';

let clock: VirtualClock;
let client: Client;
let scheduler: AsyncDisposable;

beforeEach(async () => {
  clock = new VirtualClock();
  client = await startBareServer(clock, seededRandom(1));
  scheduler = await startScheduler(client, { clock, random: seededRandom(2) });
});
afterEach(async () => {
  await scheduler[Symbol.asyncDispose]();
  await client[Symbol.asyncDispose]();
});

async function addNode(name: string, cpu: string): Promise<void> {
  const node = await client.create(Node, { metadata: { name } });
  const allocatable = { cpu, memory: '64Gi', pods: '1000' };
  await client.updateStatus(Node, { ...node, status: { allocatable, capacity: allocatable } });
}

async function addPod(name: string, cpu: string, more: object = {}): Promise<void> {
  const resources = { requests: { cpu } };
  const containers = [{ name: 'main', image: 'example.org/app', resources }];
  const metadata = { namespace: 'default', name };
  await client.create(Pod, { metadata, spec: { containers, ...more } });
}

const get = (name: string) => client.get(Pod, { namespace: 'default', name });

test('startScheduler() binds pods, spreads them, and tells about it', async () => {
  await addNode('a', '4');
  await addNode('b', '4');
  await addPod('one', '2');
  await addPod('two', '2');
  await clock.settle();
  const nodes = [(await get('one'))?.spec?.nodeName, (await get('two'))?.spec?.nodeName];
  expect(nodes.toSorted()).toEqual(['a', 'b']);
  const { items } = await client.list(Event, { namespace: 'default' });
  expect(items.map(({ reason }) => reason)).toEqual(['Scheduled', 'Scheduled']);
});

test('startScheduler() leaves pods of other schedulers alone', async () => {
  await addNode('a', '4');
  await addPod('one', '1', { schedulerName: 'mine' });
  await clock.advance(600_000);
  expect((await get('one'))?.spec?.nodeName).toBeUndefined();
});

test('startScheduler() says why there is no node, and says it again as a series', async () => {
  await addNode('a', '1');
  await addPod('one', '2');
  await clock.settle();
  const condition = (await get('one'))?.status?.conditions?.[0];
  expect(condition).toMatchObject({ status: 'False', reason: 'Unschedulable' });
  await clock.advance(700_000);
  const { items } = await client.list(Event, { namespace: 'default' });
  expect(items.map(({ note }) => note)).toEqual([condition?.message, condition?.message]);
  expect(items.map(({ series }) => series?.count)).toEqual([undefined, 2]);
});

test('startScheduler() says it anew when what it said is gone meanwhile', async () => {
  await addNode('a', '1');
  await addPod('one', '2');
  await clock.advance(400_000);
  const before = await client.list(Event, { namespace: 'default' });
  for (const event of before.items) await client.delete(Event, keyOf(event));
  await clock.advance(400_000);
  const { items } = await client.list(Event, { namespace: 'default' });
  expect(items.map(({ reason }) => reason)).toEqual(['FailedScheduling']);
});

test('startScheduler() never gives a node more than it has, however quickly pods come', async () => {
  await addNode('a', '3');
  await addNode('b', '3');
  await Promise.all(Array.from({ length: 10 }, (_, index) => addPod(`p${index}`, '1')));
  await clock.settle();
  const { items } = await client.list(Pod, { namespace: 'default' });
  const nodes = items.map(({ spec }) => spec?.nodeName ?? 'none');
  expect(nodes.toSorted()).toEqual([...'aaabbb', 'none', 'none', 'none', 'none']);
});

test('startScheduler() spreads a thousand pods over equal nodes', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => addNode(`n${index}`, '1000')));
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => addPod(`p${batch}-${index}`, '1')));
  }
  const counts = await eventually(
    async () => {
      await clock.advance(100);
      const { items } = await client.list(Pod, { namespace: 'default' });
      return countNodes(items.map(({ spec }) => spec?.nodeName));
    },
    { timeoutMs: 30_000, intervalMs: 50 },
  );
  // Scores are whole percents, so nodes that differ by less are equals.
  expect(Math.min(...counts.values())).toBeGreaterThan(40);
  expect(Math.max(...counts.values())).toBeLessThan(60);
});

/** Throws while one has no node yet. */
function countNodes(names: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (!name) throw new Error('Expected every pod to have a node');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
