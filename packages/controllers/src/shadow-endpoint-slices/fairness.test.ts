import { labels, ShadowEndpointSlice } from '@liqo/api';
import { EndpointSlice } from '@liqo/kube';
import type { TestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { startProvider } from '../testing/start-provider.ts';

const flood = 1_000;

async function create({ admin }: TestCluster, consumer: string, name: string): Promise<void> {
  const namespace = `shop-${consumer}`;
  const marks = { [labels.origin]: consumer };
  const endpoints = [{ addresses: ['10.80.0.3'] }];
  await admin.create(ShadowEndpointSlice, {
    metadata: { namespace, name, labels: marks },
    spec: { template: { addressType: 'IPv4', endpoints, ports: [] } },
  });
}

/** In virtual milliseconds, up to the next hundredth of a second. */
async function timeToMake(world: TestCluster, name: string): Promise<number> {
  const start = world.clock.monotonicMs();
  await create(world, 'paris', name);
  for (;;) {
    await world.clock.advance(10);
    const made = await world.admin.get(EndpointSlice, { namespace: 'shop-paris', name });
    const tookMs = world.clock.monotonicMs() - start;
    if (made || tookMs > 60_000) return tookMs;
  }
}

test('a consumer with many EndpointSlices delays those of another by less than a factor of two', async () => {
  const consumers = { rome: ['shop-rome'], paris: ['shop-paris'] };
  await using world = await startProvider({ consumers, callMs: 20 });
  const quietMs = await timeToMake(world, 'quiet');
  for (let nth = 0; nth < flood; nth++) await create(world, 'rome', `flood-${nth}`);
  const loudMs = await timeToMake(world, 'loud');
  const { items } = await world.admin.list(EndpointSlice, { namespace: 'shop-rome' });
  expect(items.length).toBeLessThan(flood);
  expect(loudMs).toBeLessThanOrEqual(2 * quietMs);
});
