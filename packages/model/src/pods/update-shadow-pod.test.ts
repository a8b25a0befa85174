import { labels } from '@liqo/api';
import { expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { updateShadowPod, updateShadowPodWithoutResize } from './update-shadow-pod.ts';

const local = storedPod({
  metadata: { labels: { app: 'web' }, annotations: { team: 'blue' } },
});
const forged = forgeShadowPod(local, romeToMilan);

test('updateShadowPod() has nothing to write for a ShadowPod that is good', () => {
  expect(updateShadowPod(storedShadowPod(forged, 'Running'), forged)).toBeUndefined();
});

test('updateShadowPod() leaves the label alone that the provider adds', () => {
  const current = storedShadowPod(forged);
  const marked = { ...current.metadata.labels, [labels.creatorUser]: 'milan-a8a4c692b93b' };
  const stored = { ...current, metadata: { ...current.metadata, labels: marked } };
  expect(updateShadowPod(stored, forged)).toBeUndefined();
});

test('updateShadowPod() adds, changes and removes labels and annotations', () => {
  const relabelled = storedPod({
    metadata: { labels: { app: 'shop' }, annotations: { owner: 'me' } },
  });
  const wanted = forgeShadowPod(relabelled, romeToMilan);
  const updated = updateShadowPod(storedShadowPod(forged), wanted);
  expect(updated?.metadata.labels).toEqual(wanted.metadata.labels);
  expect(updated?.metadata.annotations).toEqual(wanted.metadata.annotations);
  expect(updated?.metadata.annotations).not.toHaveProperty('team');
});

test('updateShadowPod() makes image, deadline, tolerations and resources follow', () => {
  const changed = storedPod({
    metadata: local.metadata,
    spec: {
      containers: [{ name: 'web', image: 'nginx:1.30', resources: { requests: { cpu: '1' } } }],
      activeDeadlineSeconds: 60,
      tolerations: [{ key: 'a', operator: 'Exists' }],
    },
  });
  const updated = updateShadowPod(storedShadowPod(forged), forgeShadowPod(changed, romeToMilan));
  expect(updated?.spec.pod).toEqual({
    ...forged.spec.pod,
    containers: changed.spec?.containers,
    activeDeadlineSeconds: 60,
    tolerations: [{ key: 'a', operator: 'Exists' }],
  });
});

test('updateShadowPod() does not move a pod whose route has changed', () => {
  const offloadingPatch = { nodeSelector: { pool: 'guests' }, runtimeClassName: 'gvisor' };
  const wanted = forgeShadowPod(local, { ...romeToMilan, offloadingPatch });
  expect(updateShadowPod(storedShadowPod(forged), wanted)).toBeUndefined();
});

test('updateShadowPodWithoutResize() has everything but the resources', () => {
  const changed = storedPod({
    metadata: { labels: { app: 'shop' } },
    spec: {
      containers: [{ name: 'web', image: 'nginx:1.30', resources: { requests: { cpu: '1' } } }],
      activeDeadlineSeconds: 60,
    },
  });
  const wanted = forgeShadowPod(changed, romeToMilan);
  const updated = updateShadowPodWithoutResize(storedShadowPod(forged), wanted);
  expect(updated?.metadata.labels).toEqual(wanted.metadata.labels);
  expect(updated?.spec.pod?.activeDeadlineSeconds).toBe(60);
  expect(updated?.spec.pod?.containers).toEqual(
    forged.spec.pod.containers.map((container) => ({ ...container, image: 'nginx:1.30' })),
  );
});

test('updateShadowPodWithoutResize() has nothing to write for a mere resize', () => {
  const containers = [{ name: 'web', image: 'nginx:1.29', resources: { requests: { cpu: '1' } } }];
  const resized = storedPod({ metadata: local.metadata, spec: { containers } });
  const wanted = forgeShadowPod(resized, romeToMilan);
  const current = storedShadowPod(forged);
  expect(updateShadowPod(current, wanted)).toBeDefined();
  expect(updateShadowPodWithoutResize(current, wanted)).toBeUndefined();
});
