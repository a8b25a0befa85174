import { ShadowPod } from '@liqo/api';
import { mergePatch } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startProvider } from './testing/start-provider.ts';
import { measureLatency, shadowPod, wantNamespaces } from './testing/tenant-latency.ts';

/** On a virtual clock: latency is counted in calls and turns, whatever the speed of the machine. */
const timing = { callMs: 20, everyMs: 100, samples: 20 };
/** Namespaces take turns by themselves: what a consumer with many of them delays is decided between consumers. */
const manyNamespaces = Array.from({ length: 100 }, (_, i) => `flood-${i}-rome`);
const flood = { shadowPods: 3_000, namespaces: 2_000, tooMany: 40_000, changesAtOnce: 100 };

const slowest = (times: readonly number[]) => Math.max(...times);

function entries(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, `n${i}-rome`]));
}

const flooding = (i: number) => ({
  namespace: manyNamespaces[i % manyNamespaces.length] ?? '',
  name: `flood-${i % flood.shadowPods}`,
});

test('a consumer that floods its provider delays another one by less than a factor of two', {
  timeout: 300_000,
}, async () => {
  const { callMs, everyMs, samples } = timing;
  const consumers = { rome: manyNamespaces, paris: ['shop-paris'] };
  await using world = await startProvider({ consumers, callMs });
  const { admin } = world;
  const probe = { consumer: 'paris', namespace: 'shop-paris', samples, everyMs };
  const quiet = await measureLatency(world, probe);

  const tooMany = wantNamespaces(world, 'rome', entries(flood.tooMany));
  expect(await rejection(tooMany)).toMatchObject({ code: 422 });
  await wantNamespaces(world, 'rome', entries(flood.namespaces));
  for (let i = 0; i < flood.shadowPods; i++) {
    await admin.create(ShadowPod, shadowPod('rome', flooding(i)));
  }
  let changes = 0;
  const loud = await measureLatency(world, {
    ...probe,
    meanwhile: async () => {
      for (const end = changes + flood.changesAtOnce; changes < end; changes++) {
        const churn = mergePatch({ metadata: { labels: { churn: String(changes) } } });
        await admin.patch(ShadowPod, flooding(changes), churn);
      }
    },
  });

  for (const what of ['pods', 'phases', 'namespaces'] as const) {
    expect(quiet[what], what).toHaveLength(samples);
    expect(loud[what], what).toHaveLength(samples);
    expect(slowest(loud[what]), what).toBeLessThanOrEqual(2 * slowest(quiet[what]));
  }
});
