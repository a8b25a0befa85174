import { Client, ConfigMap } from '@liqo/kube';
import { startTestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { fenceTransport } from './fence-transport.ts';
import { LeadershipLostError } from './leadership-term.ts';

const key = { namespace: 'shop', name: 'web' };

test('fenceTransport() lets reads pass, and writes only while that is allowed', async () => {
  await using world = await startTestCluster({ namespaces: ['shop'] });
  const { clock, random, cluster } = world;
  let leads = true;
  const user = { name: 'leader', groups: ['system:masters'] };
  const transport = fenceTransport(cluster.transportFor(user), () => leads);
  await using client = new Client({ transport, clock, random });
  await client.create(ConfigMap, { metadata: key });
  leads = false;
  await expect(client.delete(ConfigMap, key)).rejects.toThrow(LeadershipLostError);
  await expect(transport.upgrade({ method: 'POST', path: '/' })).rejects.toThrow(
    'Cannot POST: this process does not lead any more',
  );
  expect(await client.get(ConfigMap, key)).toBeDefined();
});
