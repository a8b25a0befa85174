import { Client, ConfigMap, InProcessTransport } from '@liqo/kube';
import { ObjectServer, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { fenceTransport } from './fence-transport.ts';
import { LeadershipLostError } from './leadership-term.ts';

const key = { namespace: 'shop', name: 'web' };

test('fenceTransport() lets reads pass, and writes only while that is allowed', async () => {
  const clock = new VirtualClock();
  const server = new ObjectServer(clock);
  let leads = true;
  const transport = fenceTransport(new InProcessTransport(server.serve), () => leads);
  await using client = new Client({ transport, clock, random: seededRandom(1) });
  await client.create(ConfigMap, { metadata: key });
  leads = false;
  await expect(client.delete(ConfigMap, key)).rejects.toThrow(LeadershipLostError);
  await expect(transport.upgrade({ method: 'POST', path: '/' })).rejects.toThrow(
    'Cannot POST: this process does not lead any more',
  );
  expect(await client.get(ConfigMap, key)).toBeDefined();
});
