import type { Deployment } from '@liqo/kube';
import { expect, test } from 'vitest';
import { clusterLabels, serverVersion } from './server-version.ts';

function deploymentOf(image: string, args: string[] = []): Deployment {
  const template = { spec: { containers: [{ name: 'a', image, args }] } };
  return { spec: { selector: {}, template } };
}

test.each([
  ['ghcr.io/liqotech/liqo-controller-manager:v1.2.0', 'v1.2.0'],
  ['localhost:5000/liqo:dev', 'dev'],
  ['localhost:5000/liqo:1.0@sha256:abc', '1.0'],
  ['localhost:5000/liqo', undefined],
  ['liqo@sha256:abc', undefined],
])('serverVersion() reads %s as %s', (image, version) => {
  expect(serverVersion(deploymentOf(image))).toBe(version);
});

test('serverVersion() believes the label first', () => {
  const metadata = { labels: { 'app.kubernetes.io/version': 'v2' } };
  expect(serverVersion({ ...deploymentOf('a:1'), metadata })).toBe('v2');
});

test('clusterLabels() reads the flag of the controllers', () => {
  expect(clusterLabels(deploymentOf('a', ['--x', '--cluster-labels=a=1,b=2=3,c']))).toEqual({
    a: '1',
    b: '2=3',
  });
});
