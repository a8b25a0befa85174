import { expect, test } from 'vitest';
import { allowedEntries } from './pod-metadata.ts';
import { defaultPodPolicy } from './pod-policy.ts';

test.each([
  'cdi.k8s.io/vendor',
  'io.kubernetes.cri-o.Devices',
  'k8s.v1.cni.cncf.io/networks',
  'iam.amazonaws.com/role',
  'sidecar.istio.io/userVolume',
  'ad.datadoghq.com/web.checks',
  'cluster-autoscaler.kubernetes.io/safe-to-evict',
])('allowedEntries() removes %s', (key) => {
  expect(allowedEntries({ [key]: 'x', team: 'blue' }, defaultPodPolicy)).toEqual({ team: 'blue' });
});

test('allowedEntries() removes what the provider denies, and nothing of Liqo', () => {
  const own = { 'liqo.io/creator-user': 'x', 'offloading.liqo.io/origin': 'rome' };
  const policy = { ...defaultPodPolicy, deniedAnnotations: ['*'] };
  expect(allowedEntries({ ...own, team: 'blue' }, policy)).toEqual(own);
  expect(allowedEntries(undefined, policy)).toEqual({});
});

test.each(['__proto__', 'constructor', 'toString'])('allowedEntries() keeps %s as it is', (key) => {
  const entries = Object.fromEntries([[key, 'x']]);
  expect(Object.entries(allowedEntries(entries, defaultPodPolicy))).toEqual([[key, 'x']]);
});
