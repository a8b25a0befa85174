import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { denialMessage } from '../shadow-pods/denied-change.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { hasAllEphemeral, isAddedAtProvider, reflectEphemeral } from './ephemeral-statuses.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';

type Status = NonNullable<NonNullable<Pod['status']>['ephemeralContainerStatuses']>[number];

const now = '2026-01-01T00:01:00Z';
const startedAt = '2026-01-01T00:00:00Z';
const shell = { name: 'shell', image: 'busybox' };
const status = (state: NonNullable<Status['state']>): Status => ({
  ...shell,
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
});
const running = status({ running: { startedAt } });
const ended = status({ terminated: { exitCode: 3 } });
const problem = { reason: 'EphemeralContainersDenied', message: 'denied by policy' };
const refused = status({ waiting: problem });

const podWith = (statuses: Status[] = [], ephemeralContainers: object[] = [shell]) =>
  storedPod({ spec: { ephemeralContainers }, status: { ephemeralContainerStatuses: statuses } });
const without = podWith([], []);
const shadowPod = storedShadowPod(forgeShadowPod(storedPod(), romeToMilan));
const denying = {
  ...shadowPod,
  spec: { pod: { containers: [], ephemeralContainers: [shell] } },
  status: {
    phase: 'Running' as const,
    reason: 'FailedUpdatePod',
    message: denialMessage({ ephemeralContainer: 'shell' }, 'web', 'privileged'),
  },
};

const reflect = (
  local: ReturnType<typeof podWith>,
  facts: Partial<Parameters<typeof reflectEphemeral>[0]> = {},
) => reflectEphemeral({ local, remotePod: podWith(), shadowPod, now, ...facts });

test('reflectEphemeral() is what the provider reports', () => {
  expect(reflect(podWith(), { remotePod: podWith([running]) })).toEqual([running]);
  expect(reflect(podWith([running]), { remotePod: podWith([ended]) })).toEqual([ended]);
});

test('reflectEphemeral() has nothing of a container that the pod at the consumer does not have', () => {
  expect(reflect(without, { remotePod: podWith([running]) })).toEqual([]);
});

test('reflectEphemeral() has nothing of a container that the provider has not reported yet', () => {
  expect(reflect(podWith())).toEqual([]);
  expect(reflect(podWith(), { remotePod: without })).toEqual([]);
});

test('reflectEphemeral() keeps an end, whatever the provider reports', () => {
  expect(reflect(podWith([ended]), { remotePod: podWith([running]) })).toEqual([ended]);
});

test.each([
  ['gone', undefined],
  ['re-created', without],
])('reflectEphemeral() ends a container whose pod is %s', (_, remotePod) => {
  const reason = 'ContainerStatusUnknown';
  const terminated = { exitCode: 137, reason, finishedAt: now, startedAt };
  expect(reflect(podWith([running]), { remotePod })).toMatchObject([{ state: { terminated } }]);
});

test('reflectEphemeral() ends a container that came too late for a pod that was re-created', () => {
  const created = (generation: number) => {
    const record = { labels: [], annotations: [], generation };
    const annotations = { [appliedMetadata]: JSON.stringify(record) };
    return storedPod({ metadata: { annotations } });
  };
  const sent = { ...denying, status: { phase: 'Running' as const } };
  expect(reflect(podWith(), { remotePod: created(0), shadowPod: sent })).toEqual([]);
  const [status] = reflect(podWith(), { remotePod: created(1), shadowPod: sent });
  expect(status).toMatchObject({ name: 'shell', state: { terminated: { exitCode: 137 } } });
});

test('reflectEphemeral() says why a container was not sent', () => {
  expect(reflect(podWith(), { remotePod: without, problem })).toEqual([refused]);
});

test('reflectEphemeral() says why the API server of the provider denied a container', () => {
  const { reason, message } = denying.status;
  const facts = { remotePod: without, shadowPod: denying };
  expect(reflect(podWith(), facts)).toEqual([status({ waiting: { reason, message } })]);
});

test('reflectEphemeral() does not blame a container for what else was denied', () => {
  const message = denialMessage({ ephemeralContainer: 'other' }, 'web', 'privileged');
  const shadow = { ...denying, status: { ...denying.status, message } };
  expect(reflect(podWith(), { remotePod: without, shadowPod: shadow })).toEqual([]);
});

test('reflectEphemeral() keeps a refusal until the provider reports the container', () => {
  expect(reflect(podWith([refused]), { remotePod: without })).toEqual([refused]);
  expect(reflect(podWith([refused]))).toEqual([refused]);
  expect(reflect(podWith([refused]), { remotePod: podWith([running]) })).toEqual([running]);
});

test('isAddedAtProvider() tells statuses of the provider from refusals', () => {
  expect([running, ended, refused, undefined].map(isAddedAtProvider)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  ['the provider has it', podWith(), podWith(), true],
  ['it has ended', podWith([ended]), without, true],
  ['the provider lacks it', podWith(), without, false],
])('hasAllEphemeral() when %s', (_, local, remotePod, expected) => {
  expect(hasAllEphemeral(local, remotePod)).toBe(expected);
});
