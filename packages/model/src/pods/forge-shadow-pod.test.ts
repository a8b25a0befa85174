import { labels } from '@liqo/api';
import { expect, test } from 'vitest';
import { recordedPod, recordedShadowPod } from '../testing/recorded-pod.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { consumerPodUid } from './pod-kinship.ts';

test('forgeShadowPod() asks for what Liqo v1.2.0 asks for, and says for which pod', () => {
  const forged = forgeShadowPod(recordedPod, {
    ...romeToMilan,
    remoteNamespace: 'shop2-rome',
    consumerApiServer: { host: 'kubernetes.default', port: '443' },
  });
  const { metadata } = recordedShadowPod;
  expect(forged).toEqual({
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'ShadowPod',
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [consumerPodUid]: recordedPod.metadata.uid },
    },
    spec: recordedShadowPod.spec,
  });
});

test('forgeShadowPod() leaves out the labels and annotations that the patch names', () => {
  const pod = storedPod({
    metadata: { labels: { app: 'web', secret: 'x' }, annotations: { team: 'blue', lb: '1' } },
  });
  const offloadingPatch = { labelsNotReflected: ['secret'], annotationsNotReflected: ['lb'] };
  const { metadata } = forgeShadowPod(pod, { ...romeToMilan, offloadingPatch });
  expect(metadata.labels).toEqual({
    app: 'web',
    [labels.nodeName]: 'milan',
    [labels.origin]: 'rome',
    [labels.destination]: 'milan',
  });
  expect(metadata.annotations).toEqual({ team: 'blue', [consumerPodUid]: 'pod-uid' });
});

test('forgeShadowPod() cannot be told who the pod belongs to', () => {
  const claims = {
    [labels.origin]: 'paris',
    [labels.creatorUser]: 'admin',
    [labels.managedBy]: 'me',
  };
  const pod = storedPod({ metadata: { labels: claims, annotations: { [consumerPodUid]: 'x' } } });
  const { metadata } = forgeShadowPod(pod, romeToMilan);
  expect(metadata.labels[labels.origin]).toBe('rome');
  expect(metadata.labels).not.toHaveProperty([labels.creatorUser]);
  expect(metadata.labels).not.toHaveProperty([labels.managedBy]);
  expect(metadata.annotations[consumerPodUid]).toBe('pod-uid');
});
