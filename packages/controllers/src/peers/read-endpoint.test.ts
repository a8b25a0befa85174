import { startTestCluster } from '@liqo/testkit/cluster';
import { expect, test } from 'vitest';
import { readEndpoint } from './read-endpoint.ts';

test('readEndpoint() reads the server, and when the certificate expires', async () => {
  await using world = await startTestCluster();
  const kubeconfig = world.cluster.kubeconfigFor({ name: 'rome', groups: [] });
  const { server, expiresMs = 0 } = readEndpoint(kubeconfig);
  expect(server).toBe(world.cluster.server);
  const days = (expiresMs - world.clock.now()) / (24 * 60 * 60_000);
  expect(days).toBeGreaterThan(360);
  expect(days).toBeLessThan(367);
});

function kubeconfigWith(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    clusters: [{ name: 'a', cluster: { server: 'https://milan:6443', ...cluster } }],
    users: [{ name: 'a', user }],
  });
}

test('readEndpoint() reads the proxy', () => {
  const kubeconfig = kubeconfigWith({ 'proxy-url': 'http://proxy:3128' }, { token: 'x' });
  expect(readEndpoint(kubeconfig)).toEqual({
    server: 'https://milan:6443',
    proxyUrl: 'http://proxy:3128',
  });
});

test('readEndpoint() knows no expiry of what is no certificate', () => {
  const user = { 'client-certificate-data': 'bm9uZQ==', 'client-key-data': 'bm9uZQ==' };
  expect(readEndpoint(kubeconfigWith({}, user))).toEqual({ server: 'https://milan:6443' });
});

test.each(['', 'nonsense', '{}', '{"cluster":"milan"}'])(
  'readEndpoint() of %j is empty',
  (text) => {
    expect(readEndpoint(text)).toEqual({});
  },
);
