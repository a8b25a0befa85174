import { Client, ConfigMap, InProcessTransport, type Transport } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { fenceClient } from './fence-client.ts';
import { LeadershipLostError } from './leadership-term.ts';

const key = { namespace: 'shop', name: 'web' };

test('fenceClient() lets reads pass, and writes only while that is allowed', async () => {
  await using world = await startTestCluster({ namespaces: ['shop'] });
  let leads = true;
  await using client = fenceClient(world.clientOf('leader'), () => leads);
  await client.create(ConfigMap, { metadata: key });
  leads = false;
  const refused = expect(client.delete(ConfigMap, key)).rejects;
  await refused.toThrow(
    new LeadershipLostError('Cannot DELETE: this process does not lead any more'),
  );
  expect(await client.get(ConfigMap, key)).toBeDefined();
});

test('fenceClient() keeps a write back that waited for its connection until it was not allowed any more', async () => {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const server = new InProcessTransport(async ({ method }) => {
    asked.push(method);
    return { status: 200, body: '{}' };
  });
  const dialling: Transport = {
    host: server.host,
    upgrade: (request, signal) => server.upgrade(request, signal),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    send: async (request, signal) => {
      await new Promise<void>((resolve) => clock.after(1_000, resolve));
      return server.send(request, signal);
    },
  };
  let leads = true;
  const bare = new Client({ transport: dialling, clock, random: seededRandom(1) });
  const writing = expect(
    fenceClient(bare, () => leads).create(ConfigMap, { metadata: key }),
  ).rejects.toThrow(LeadershipLostError);
  await clock.settle();
  leads = false;
  await clock.advance(1_000);
  await writing;
  expect(asked).toEqual([]);
});
