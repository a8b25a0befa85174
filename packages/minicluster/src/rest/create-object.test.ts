import { ConfigMap } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startMinicluster } from '../start-minicluster.ts';

test('createObject() generates another name when one is taken', async () => {
  const seeded = seededRandom(1);
  // Three letters to choose from make 243 names: of 60 objects, some come to the same.
  const random = () => Math.floor(seeded() * 3) / 3;
  await using cluster = await startMinicluster({ clock: new VirtualClock(), random });
  const metadata = { namespace: 'default', generateName: 'one-' };
  const made = new Set<string>();
  for (let n = 0; n < 60; n++) {
    made.add((await cluster.client.create(ConfigMap, { metadata })).metadata.name);
  }
  expect(made.size).toBe(60);
});
