import { labels } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { defaultPodPolicy } from '../pod-policy/pod-policy.ts';
import { forgePod } from '../shadow-pods/forge-pod.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { deniedEphemeral, planEphemeralContainers } from './plan-ephemeral-containers.ts';

type Status = NonNullable<NonNullable<Pod['status']>['ephemeralContainerStatuses']>[number];

const shell = { name: 'shell', image: 'busybox', targetContainerName: 'web' };
const probe = { name: 'probe', image: 'curl' };

function localWith(
  ephemeralContainers: readonly object[],
  ephemeralContainerStatuses: Status[] = [],
  metadata: Pod['metadata'] = {},
): Stored<Pod> {
  const status = { phase: 'Running' as const, ephemeralContainerStatuses };
  return storedPod({ metadata, spec: { ephemeralContainers }, status });
}

function reported(name: string, state: Status['state']): Status {
  return { name, image: 'i', imageID: '', ready: false, restartCount: 0, ...(state && { state }) };
}

const shadowPod = storedShadowPod(forgeShadowPod(localWith([shell]), romeToMilan));
const spec = shadowPod.spec.pod ?? { containers: [] };
const pod = storedPod({ ...forgePod(shadowPod, spec, defaultPodPolicy) });

function withSent(...ephemeralContainers: (typeof shell | typeof probe)[]) {
  return { ...shadowPod, spec: { pod: { containers: [], ephemeralContainers } } };
}

const plan = (
  local: Stored<Pod>,
  twins: Partial<Parameters<typeof planEphemeralContainers>[1]> = {},
  route = romeToMilan,
) => planEphemeralContainers(local, { shadowPod, pod, ...twins }, route);

test('planEphemeralContainers() sends what the ShadowPod lacks', () => {
  const step = { type: 'send', ephemeralContainers: [shell] };
  expect(plan(localWith([shell]))).toEqual(step);
  expect(plan(localWith([shell, probe]), { shadowPod: withSent(shell) })).toEqual({
    type: 'send',
    ephemeralContainers: [shell, probe],
  });
});

test('planEphemeralContainers() sends no container again that the provider has reported', () => {
  const running = reported('shell', { running: { startedAt: '2026-01-01T00:00:00Z' } });
  expect(plan(localWith([shell], [running]))).toEqual({ type: 'leave' });
  expect(plan(localWith([shell, probe], [running]), { shadowPod: withSent(shell) })).toEqual({
    type: 'send',
    ephemeralContainers: [probe],
  });
});

test('planEphemeralContainers() gives the container the way to the API server of the consumer', () => {
  const consumerApiServer = { host: 'rome.example', port: '6443' };
  const step = plan(localWith([shell]), {}, { ...romeToMilan, consumerApiServer });
  const host = { name: 'KUBERNETES_SERVICE_HOST', value: 'rome.example' };
  expect(step).toMatchObject({ ephemeralContainers: [{ env: expect.arrayContaining([host]) }] });
});

test('planEphemeralContainers() tries again after a refusal', () => {
  const waiting = { reason: 'EphemeralContainersDenied', message: 'no' };
  const local = localWith([shell], [reported('shell', { waiting })]);
  expect(plan(local)).toMatchObject({ type: 'send' });
});

test('planEphemeralContainers() refuses where the provider does not change running pods', () => {
  const { [appliedMetadata]: _, ...annotations } = pod.metadata.annotations ?? {};
  const ofLiqo = { ...pod, metadata: { ...pod.metadata, annotations } };
  expect(plan(localWith([shell]), { pod: ofLiqo })).toEqual({
    type: 'refuse',
    problem: {
      reason: 'EphemeralContainersUnsupported',
      message:
        'Cannot add ephemeral containers to pod "web": the Liqo of provider "milan" does not pass them on to running ' +
        'pods; use "kubectl exec", or "kubectl debug --copy-to" for a copy of the pod',
    },
  });
});

const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['there are none', localWith([]), {}],
  ['they are sent', localWith([shell]), { shadowPod: withSent(shell) }],
  ['the provider has no pod yet', localWith([shell]), { pod: undefined }],
  [
    'the pod at the provider ends',
    localWith([shell]),
    { pod: { ...pod, metadata: { ...pod.metadata, deletionTimestamp } } },
  ],
  ['the pod ends', localWith([shell], [], { deletionTimestamp }), {}],
  [
    'the node is not ready',
    localWith([shell], [], { labels: { [labels.remoteUnavailable]: 'true' } }),
    {},
  ],
  ['the pod there is of another cluster', localWith([shell]), { pod: storedPod() }],
])('planEphemeralContainers() leaves everything as it is when %s', (_, local, twins) => {
  expect(plan(local, twins)).toEqual({ type: 'leave' });
});

test('deniedEphemeral() carries the answer of the provider', () => {
  expect(deniedEphemeral(localWith([shell]), romeToMilan, 'denied by policy')).toEqual({
    reason: 'EphemeralContainersDenied',
    message:
      'Cannot add ephemeral containers to pod "web": the provider "milan" denies it: denied by policy',
  });
});
