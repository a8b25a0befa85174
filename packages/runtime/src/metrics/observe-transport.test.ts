import { InProcessTransport, TransportError } from '@liqo/kube';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';
import { observeTransport } from './observe-transport.ts';

test('observeTransport() counts requests by status, host and method', async () => {
  const metrics = new Metrics();
  const inner = new InProcessTransport(async ({ path }) => {
    if (path === '/broken') throw new TransportError('broken', { sent: true });
    return { status: path === '/missing' ? 404 : 200 };
  });
  await using transport = observeTransport(inner, metrics, 'eu-1:6443');
  await transport.send({ method: 'GET', path: '/ok' });
  await transport.send({ method: 'GET', path: '/ok' });
  await transport.send({ method: 'DELETE', path: '/missing' });
  await transport.upgrade({ method: 'POST', path: '/exec' });
  await expect(transport.send({ method: 'PUT', path: '/broken' })).rejects.toThrow('broken');
  const text = await metrics.text();
  for (const [labels, count] of [
    ['code="200",host="eu-1:6443",method="GET"', 2],
    ['code="404",host="eu-1:6443",method="DELETE"', 1],
    ['code="200",host="eu-1:6443",method="POST"', 1],
    ['code="<error>",host="eu-1:6443",method="PUT"', 1],
  ]) {
    expect(text).toContain(`rest_client_requests_total{${labels}} ${count}\n`);
  }
});
