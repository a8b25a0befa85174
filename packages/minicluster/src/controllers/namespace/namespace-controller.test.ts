import { mergePatch, Namespace, Pod } from '@liqo/kube';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startMinicluster } from '../../start-minicluster.ts';

test('a namespace goes when the last of its pods has gone, after it was seen to wait for it', async () => {
  await using cluster = await startMinicluster({ clock: systemClock, random: systemRandom });
  const { client } = cluster;
  await client.create(Namespace, { metadata: { name: 'shop' } });
  const key = { name: 'web', namespace: 'shop' };
  const pod = {
    metadata: { ...key, finalizers: ['example.org/slow'] },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  };
  await eventually(() => client.create(Pod, pod));
  await client.delete(Namespace, { name: 'shop' });
  await eventually(async () => {
    const shop = await client.get(Namespace, { name: 'shop' });
    expect(shop?.status?.conditions).not.toBeUndefined();
  });
  await client.patch(Pod, key, mergePatch({ metadata: { finalizers: null } }));
  await eventually(async () => {
    expect(await client.get(Namespace, { name: 'shop' })).toBeUndefined();
  });
});
