import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startMinicluster } from '../../start-minicluster.ts';
import { TokenCache } from './token-cache.ts';

const account = { namespace: 'default', name: 'default' };
const { signal } = new AbortController();

async function startCluster() {
  const clock = new VirtualClock();
  const cluster = await startMinicluster({ clock, random: seededRandom(1) });
  const tokens = new TokenCache(cluster.client, clock);
  const get = (expirationSeconds: number) =>
    tokens.get(account, { audiences: [], expirationSeconds }, signal);
  return { clock, get, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test('TokenCache renews a token when a fifth of its life is left', async () => {
  await using cluster = await startCluster();
  const first = await cluster.get(1000);
  await cluster.clock.advance(799_000);
  expect(await cluster.get(1000)).toBe(first);
  await cluster.clock.advance(1_000);
  expect(await cluster.get(1000)).not.toBe(first);
});

test('TokenCache renews a token after a day at the latest', async () => {
  await using cluster = await startCluster();
  const week = 7 * 86_400;
  const first = await cluster.get(week);
  await cluster.clock.stall(86_399_000);
  expect(await cluster.get(week)).toBe(first);
  await cluster.clock.stall(1_000);
  expect(await cluster.get(week)).not.toBe(first);
});

test('TokenCache keeps tokens of different specs apart', async () => {
  await using cluster = await startCluster();
  expect(await cluster.get(1000)).not.toBe(await cluster.get(2000));
});
