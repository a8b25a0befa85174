import { ConfigMap } from '@liqo/kube';
import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.ts';
import { CallReader } from './api-call.ts';
import { delayed, failAfterEffect, lostAnswer, refusal } from './fault.ts';
import { seededPlan } from './seeded-plan.ts';

const faults = [
  () => refusal(500),
  () => failAfterEffect(500),
  () => lostAnswer('reset'),
  () => delayed(100),
  () => ({ twice: 'first answer' as const }),
];

/** Two callers, interleaved, who write down what happens to them, and what is stored in the end. */
async function play(seed: number, callers: readonly string[]) {
  await using world = await startTestCluster({ namespaces: ['shop'] });
  world.faults.plan = seededPlan({ seed, rate: 0.5, faults });
  const diary: Record<string, string[]> = {};
  const act = async (who: string) => {
    const client = world.clientOf(who);
    const lines: string[] = [];
    diary[who] = lines;
    for (let n = 0; n < 20; n++) {
      const metadata = { namespace: 'shop', name: `${who}-${n}` };
      const told = await client.create(ConfigMap, { metadata }).then(() => 'done', String);
      lines.push(`${told} at ${world.clock.monotonicMs()}`);
    }
  };
  const acting = Promise.all(callers.map(act));
  await world.clock.advance(60_000);
  await acting;
  const { items } = await world.admin.list(ConfigMap, { namespace: 'shop' });
  return { diary, stored: items.map(({ metadata }) => metadata.name) };
}

test('seededPlan() replays to the letter', async () => {
  const first = await play(7, ['alice', 'bob']);
  expect(await play(7, ['alice', 'bob'])).toEqual(first);
  expect(await play(8, ['alice', 'bob'])).not.toEqual(first);
  expect(new Set(first.diary.alice?.map((line) => line.split(' at ')[0])).size).toBeGreaterThan(2);
});

test('seededPlan() does the same to a caller, whoever else calls', async () => {
  const together = await play(7, ['alice', 'bob']);
  const alone = await play(7, ['alice']);
  expect(alone.diary.alice).toEqual(together.diary.alice);
});

test('seededPlan() leaves as many calls alone as it is told to', () => {
  const plan = seededPlan({ seed: 1, rate: 0.1, faults });
  const reader = new CallReader();
  const calls = Array.from({ length: 1_000 }, () =>
    reader.read('alice', { method: 'GET', path: '/api/v1/namespaces/shop/pods/web' }),
  );
  const hit = calls.filter((call) => plan(call) !== undefined).length;
  expect(hit).toBeGreaterThan(70);
  expect(hit).toBeLessThan(130);
});
