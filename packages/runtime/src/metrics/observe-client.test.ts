import { ApiError, Client, ConfigMap, InProcessTransport, TransportError } from '@liqo/kube';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';
import { observeClient } from './observe-client.ts';

test('observeClient() counts requests by status, host and method', async () => {
  const metrics = new Metrics();
  const transport = new InProcessTransport(async ({ method, path }) => {
    if (method === 'PUT') throw new TransportError('broken', { sent: true });
    return { status: path.includes('missing') ? 404 : 200, body: '{"items":[],"metadata":{}}' };
  });
  const bare = new Client({ transport, clock: new VirtualClock(), random: seededRandom(1) });
  await using client = observeClient(bare, metrics);
  await client.list(ConfigMap);
  await client.list(ConfigMap);
  const missing = { namespace: 'shop', name: 'missing' };
  expect(await rejection(client.delete(ConfigMap, missing))).toBeInstanceOf(ApiError);
  const written = client.update(ConfigMap, { metadata: { ...missing, resourceVersion: '1' } });
  await expect(written).rejects.toThrow('broken');
  const text = await metrics.text();
  for (const [labels, count] of [
    ['code="200",host="in-process",method="GET"', 2],
    ['code="404",host="in-process",method="DELETE"', 1],
    ['code="<error>",host="in-process",method="PUT"', 1],
  ]) {
    expect(text).toContain(`rest_client_requests_total{${labels}} ${count}\n`);
  }
});
