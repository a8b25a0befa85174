import { expect, test } from 'vitest';
import { storedPod } from '../testing/stored-pod.ts';
import { debugPatch, resizePatch } from './pod-patches.ts';

const resources = { requests: { cpu: '2' }, limits: { cpu: '3' } };

test('resizePatch() has the resources of containers and sidecars, and nothing else of them', () => {
  const pod = storedPod({
    spec: {
      containers: [{ name: 'web', image: 'nginx', resources }, { name: 'log' }],
      initContainers: [
        { name: 'setup', resources },
        { name: 'proxy', image: 'envoy', restartPolicy: 'Always', resources },
      ],
    },
  });
  expect(resizePatch(pod)).toEqual({
    metadata: { resourceVersion: '1' },
    spec: {
      containers: [
        { name: 'web', resources },
        { name: 'log', resources: {} },
      ],
      initContainers: [{ name: 'proxy', resources }],
    },
  });
});

test('resizePatch() has the resources of the pod as a whole', () => {
  const pod = storedPod({ spec: { containers: [], resources } });
  expect(resizePatch(pod)).toMatchObject({ spec: { resources } });
});

test('debugPatch() has the ephemeral containers, and nothing else', () => {
  const ephemeralContainers = [{ name: 'shell', image: 'busybox' }];
  expect(debugPatch(storedPod({ spec: { ephemeralContainers } }))).toEqual({
    metadata: { resourceVersion: '1' },
    spec: { ephemeralContainers },
  });
});
