import { ServiceAccount } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { TokenCallers } from './token-callers.ts';

const account = { namespace: 'shop', name: 'scraper' };

async function startWorld() {
  const world = await startTestCluster({ namespaces: ['shop'] });
  await world.admin.create(ServiceAccount, { metadata: account });
  return { ...world, callers: new TokenCallers(world.admin, world.clock) };
}

test('TokenCallers finds the ServiceAccount of a token for the API server', async () => {
  await using world = await startWorld();
  const { status } = await world.admin.createToken(account, { audiences: [] });
  expect(await world.callers.find(status?.token ?? '')).toMatchObject({
    name: 'system:serviceaccount:shop:scraper',
  });
});

test.each([
  ['for another audience', { audiences: ['vault'] }, 0],
  ['that has expired', { audiences: [], expirationSeconds: 600 }, 700_000],
])('TokenCallers finds no caller for a token %s', async (_, spec, laterMs) => {
  await using world = await startWorld();
  const { status } = await world.admin.createToken(account, spec);
  await world.clock.advance(laterMs);
  expect(await world.callers.find(status?.token ?? '')).toBeUndefined();
});

test('TokenCallers finds no caller for a token of a ServiceAccount that is gone', async () => {
  await using world = await startWorld();
  const { status } = await world.admin.createToken(account, { audiences: [] });
  await world.admin.delete(ServiceAccount, account);
  expect(await world.callers.find(status?.token ?? '')).toBeUndefined();
});
