import { annotations, labels, type ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { planOrphan, planShadowPod } from './plan-shadow-pod.ts';

const local = storedPod({ status: { phase: 'Pending' } });
const forged = forgeShadowPod(local, romeToMilan);
const shadowPod = storedShadowPod(forged, 'Running');
const pod = storedPod({ metadata: { ...shadowPod.metadata, uid: 'remote' } });
const strange = storedPod({ metadata: { uid: 'remote', labels: {} } });

function going<T extends Stored<Pod> | Stored<ShadowPod>>(object: T): T {
  const metadata = { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
  return { ...object, metadata };
}

/** Being deleted, and given so much time. */
function hasty(deletionGracePeriodSeconds: number): Stored<Pod> {
  const { metadata, ...rest } = going(local);
  return { ...rest, metadata: { ...metadata, deletionGracePeriodSeconds } };
}

function hurried(seconds: number): Stored<ShadowPod> {
  const asked = { [annotations.deletionGracePeriodSeconds]: String(seconds) };
  const { metadata, spec } = shadowPod;
  const notes = { ...metadata.annotations, ...asked };
  return { ...shadowPod, metadata: { ...metadata, annotations: notes }, spec };
}

function finished(phase: 'Failed' | 'Succeeded', reason?: string): Stored<Pod> {
  return storedPod({ status: { phase, ...(reason && { reason }) } });
}

const successor = storedPod({ metadata: { uid: 'next' } });
const none = { shadowPod: undefined, pod: undefined };
const both = { shadowPod, pod };

describe('planShadowPod()', () => {
  test.each([
    ['creates what is missing', local, none, 'create'],
    ['creates it again if only the pod is left', local, { ...none, pod }, 'create'],
    ['leaves what is good', local, both, 'leave'],
    ['waits until a deleted one is gone', local, { shadowPod: going(shadowPod), pod }, 'wait'],

    ['deletes the one of an earlier pod', successor, both, 'delete'],
    ['waits for it to go', successor, { shadowPod: going(shadowPod), pod }, 'wait'],
    ['waits for its pod to go', successor, { ...none, pod }, 'wait'],
    ['creates the next one then', successor, none, 'create'],
    ['releases a pod that never had its turn', going(successor), { ...none, pod }, 'release'],

    ['deletes with the pod', going(local), both, 'delete'],
    ['waits for the deletion', going(local), { shadowPod: going(shadowPod), pod }, 'wait'],
    ['passes haste on', hasty(5), { shadowPod: going(shadowPod), pod }, 'delete'],
    ['passes it on once', hasty(5), { shadowPod: going(hurried(5)), pod }, 'wait'],
    ['has no use for more time', hasty(60), { shadowPod: going(shadowPod), pod }, 'wait'],
    ['waits for the pod over there as well', going(local), { ...none, pod: going(pod) }, 'wait'],
    ['releases a pod of which nothing is left', going(local), none, 'release'],

    ['does not start a pod again that succeeded', finished('Succeeded'), none, 'leave'],
    ['does not start a pod again that failed', finished('Failed'), none, 'leave'],
    ['leaves what a finished pod left', finished('Succeeded'), both, 'leave'],
    ['removes what an aborted one left', finished('Failed', 'OffloadingAborted'), both, 'delete'],
    ['has then done with it', finished('Failed', 'OffloadingAborted'), none, 'leave'],
  ] as const)('%s', (_, one, twins, type) => {
    expect(planShadowPod(one, twins, romeToMilan).type).toBe(type);
  });

  test('creates what forgeShadowPod() gives', () => {
    expect(planShadowPod(local, none, romeToMilan)).toEqual({ type: 'create', shadowPod: forged });
  });

  test.each([
    ['pod', { ...none, pod: strange }],
    ['ShadowPod', { ...none, shadowPod: { ...shadowPod, metadata: strange.metadata } }],
  ])('refuses a name that a %s of somebody else has', (_, twins) => {
    expect(planShadowPod(local, twins, romeToMilan)).toEqual({
      type: 'refuse',
      reason: 'NameTaken',
      message:
        'Cannot offload pod "web": namespace "shop-rome" of provider "milan" has a pod of that name that was not ' +
        'made for this cluster',
    });
  });

  test('releases a pod whose name somebody else has, and does not delete what is theirs', () => {
    const twins = { shadowPod: { ...shadowPod, metadata: strange.metadata }, pod: strange };
    expect(planShadowPod(going(local), twins, romeToMilan)).toEqual({ type: 'release' });
  });

  test('refuses a pod that cannot run at a provider', () => {
    const claiming = storedPod({ spec: { resourceClaims: [{ name: 'gpu' }] } });
    const step = planShadowPod(claiming, none, romeToMilan);
    expect(step).toMatchObject({ type: 'refuse', reason: 'UnsupportedField' });
  });

  test('updates what has changed, but not while the provider is out of reach', () => {
    const relabelled = storedPod({ metadata: { labels: { app: 'web' } } });
    expect(planShadowPod(relabelled, both, romeToMilan).type).toBe('update');
    const cutOff = storedPod({
      metadata: { labels: { app: 'web', [labels.remoteUnavailable]: 'true' } },
    });
    expect(planShadowPod(cutOff, both, romeToMilan)).toEqual({ type: 'leave' });
  });
});

describe('planOrphan()', () => {
  test('deletes a ShadowPod whose pod is gone', () => {
    expect(planOrphan(shadowPod, romeToMilan)).toEqual({ type: 'delete', shadowPod });
    expect(planOrphan(going(shadowPod), romeToMilan)).toEqual({ type: 'wait' });
  });

  test.each([
    ['another virtual node', { ...romeToMilan, nodeName: 'milan-2' }],
    ['another consumer', { ...romeToMilan, consumerClusterID: 'paris' }],
  ])('leaves a ShadowPod of %s', (_, route) => {
    expect(planOrphan(shadowPod, route)).toEqual({ type: 'leave' });
  });
});
