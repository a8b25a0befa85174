import { Client, ConfigMap, InProcessTransport } from '@liqo/kube';
import { ListWatchServer, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { type FollowOptions, followKind } from './follow-kind.ts';

/** A loop over ConfigMaps that notes what it was called with. */
function start(reconcile: (names: string[]) => Promise<void> = async () => undefined) {
  const clock = new VirtualClock();
  const server = new ListWatchServer(ConfigMap);
  const transport = new InProcessTransport(server.serve);
  const client = new Client({ transport, clock, random: seededRandom(1) });
  const calls: string[][] = [];
  const options: FollowOptions<ConfigMap> = {
    client,
    clock,
    kind: ConfigMap,
    reconcile: async (objects) => {
      calls.push([...objects.keys()].sort());
      await reconcile([...objects.keys()]);
    },
  };
  const put = (name: string) => server.put({ metadata: { namespace: 'shop', name } });
  return { clock, server, calls, put, begin: () => followKind(options) };
}

test('followKind() reconciles what is there, and again after every change', async () => {
  const { clock, server, calls, put, begin } = start();
  put('a');
  await using _loop = begin();
  await clock.settle();
  put('b');
  await clock.settle();
  server.remove({ namespace: 'shop', name: 'a' });
  await clock.settle();
  expect(calls).toEqual([['shop/a'], ['shop/a', 'shop/b'], ['shop/b']]);
});

test('followKind() reads everything anew a moment after a failure', async () => {
  let failures = 2;
  const { clock, calls, put, begin } = start(async () => {
    if (failures-- > 0) throw new Error('Not now');
  });
  put('a');
  await using _loop = begin();
  await clock.settle();
  expect(calls).toHaveLength(1);
  await clock.advance(1000);
  expect(calls).toEqual([['shop/a'], ['shop/a'], ['shop/a']]);
});

test('followKind() makes one call at a time', async () => {
  let running = 0;
  let most = 0;
  const { clock, put, calls, begin } = start(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  await using _loop = begin();
  for (const name of ['a', 'b', 'c']) put(name);
  for (let i = 0; i < 10; i++) await clock.settle();
  expect(most).toBe(1);
  expect(calls.at(-1)).toEqual(['shop/a', 'shop/b', 'shop/c']);
});

test('followKind() leaves nothing behind', async () => {
  const { clock, server, calls, put, begin } = start();
  const loop = begin();
  await clock.settle();
  expect(server.openWatches).toBe(1);
  await loop[Symbol.asyncDispose]();
  await clock.settle();
  put('late');
  await clock.advance(60_000);
  expect(calls).toEqual([[]]);
  expect(server.openWatches).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});
