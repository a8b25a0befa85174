import { expect, test } from 'vitest';
import { storedPod } from '../testing/stored-pod.ts';
import { refusePod } from './refuse-pod.ts';

test('refusePod() says which field cannot be had at a provider, and why', () => {
  const pod = storedPod({ spec: { resourceClaims: [{ name: 'gpu' }] } });
  expect(refusePod(pod)).toEqual({
    reason: 'UnsupportedField',
    message:
      'Cannot offload pod "web": it has spec.resourceClaims. ' +
      'Devices are claimed in the cluster that has them, and claims are not reflected',
  });
});

test.each([
  ['an ordinary pod', {}],
  ['a pod with an empty list of them', { resourceClaims: [] }],
])('refusePod() has nothing against %s', (_, spec) => {
  expect(refusePod(storedPod({ spec }))).toBeUndefined();
});
