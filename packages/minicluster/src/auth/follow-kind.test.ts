import { Secret } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { isWatch } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { type FollowOptions, followKind } from './follow-kind.ts';

/** A loop over Secrets that notes what it was called with. */
async function start(reconcile: (names: string[]) => Promise<void> = async () => undefined) {
  const world = await startTestCluster({ namespaces: ['shop'] });
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { clock, admin, faults } = world;
  const calls: string[][] = [];
  const options: FollowOptions<Secret> = {
    reader: world.clientOf('follower'),
    clock,
    kind: Secret,
    reconcile: async (objects) => {
      calls.push([...objects.keys()].sort());
      await reconcile([...objects.keys()]);
    },
  };
  const put = (name: string) => admin.create(Secret, { metadata: { namespace: 'shop', name } });
  const remove = (name: string) => admin.delete(Secret, { namespace: 'shop', name });
  const watches = () => faults.calls.filter(isWatch).length;
  return { clock, calls, put, remove, watches, begin: () => followKind(options) };
}

test('followKind() reconciles what is there, and again after every change', async () => {
  const { clock, calls, put, remove, begin } = await start();
  await put('a');
  await using _loop = begin();
  await clock.settle();
  await put('b');
  await clock.settle();
  await remove('a');
  await clock.settle();
  expect(calls).toEqual([['shop/a'], ['shop/a', 'shop/b'], ['shop/b']]);
});

test('followKind() reads everything anew a moment after a failure', async () => {
  let failures = 2;
  const { clock, calls, put, begin } = await start(async () => {
    if (failures-- > 0) throw new Error('Not now');
  });
  await put('a');
  await using _loop = begin();
  await clock.settle();
  expect(calls).toHaveLength(1);
  await clock.advance(1000);
  expect(calls).toEqual([['shop/a'], ['shop/a'], ['shop/a']]);
});

test('followKind() makes one call at a time', async () => {
  let running = 0;
  let most = 0;
  const { clock, put, calls, begin } = await start(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  await using _loop = begin();
  for (const name of ['a', 'b', 'c']) await put(name);
  for (let i = 0; i < 10; i++) await clock.settle();
  expect(most).toBe(1);
  expect(calls.at(-1)).toEqual(['shop/a', 'shop/b', 'shop/c']);
});

test('followKind() leaves nothing behind', async () => {
  const { clock, watches, calls, put, begin } = await start();
  const loop = begin();
  await clock.settle();
  expect(watches()).toBe(1);
  await loop[Symbol.asyncDispose]();
  await clock.settle();
  await put('late');
  await clock.advance(60_000);
  expect(calls).toEqual([[]]);
  expect(watches()).toBe(1);
  expect(clock.pendingTimers).toBe(0);
});
