import { labels } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { anyAddress } from '../testing/any-address.ts';
import { containerStatus } from '../testing/container-status.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { nextPodStatus, type RemoteState, type StatusContext } from './next-pod-status.ts';
import type { PodStatus } from './pod-status.ts';

const context: StatusContext = {
  route: romeToMilan,
  nodeAddress: '192.168.0.7',
  addressPolicy: anyAddress,
  now: '2026-01-01T00:10:00Z',
};

const running: PodStatus = {
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:02Z' },
    { type: 'ContainersReady', status: 'True', lastTransitionTime: '2026-01-01T00:00:02Z' },
  ],
  containerStatuses: [containerStatus()],
  hostIP: '10.1.0.1',
  podIP: '10.0.0.9',
  podIPs: [{ ip: '10.0.0.9' }, { ip: 'fd00::9' }],
  qosClass: 'BestEffort',
  startTime: '2026-01-01T00:00:00Z',
};

const pending = storedPod({ status: { phase: 'Pending', qosClass: 'Burstable' } });
const shadowPod = storedShadowPod(forgeShadowPod(pending, romeToMilan));

function remotePod(status: PodStatus, metadata: Pod['metadata'] = {}): Stored<Pod> {
  return storedPod({ metadata: { ...shadowPod.metadata, uid: 'remote', ...metadata }, status });
}

function remote(pod?: Stored<Pod>, more: Partial<RemoteState> = {}): RemoteState {
  return { isReachable: true, shadowPod, pod, ...more };
}

/** The pod with the status that was to be written. */
function written(local: Stored<Pod>, state: RemoteState): Stored<Pod> {
  const status = nextPodStatus(local, state, context);
  return status ? { ...local, status } : local;
}

const local = written(pending, remote(remotePod(running)));

describe('a pod that runs at the provider', () => {
  test('nextPodStatus() is the status at the provider, with addresses and class of the consumer', () => {
    expect(local.status).toEqual({
      ...running,
      hostIP: '192.168.0.7',
      hostIPs: [{ ip: '192.168.0.7' }],
      qosClass: 'Burstable',
    });
  });

  test('nextPodStatus() does not take the end of the pod of an earlier ShadowPod for its own', () => {
    const owner = { apiVersion: 'offloading.liqo.io/v1beta1', kind: 'ShadowPod', name: 'web' };
    const endedFor = (uid: string) => {
      const ownerReferences = [{ ...owner, uid, controller: true }];
      return remote(remotePod({ ...running, phase: 'Succeeded' }, { ownerReferences }));
    };
    expect(nextPodStatus(local, endedFor('earlier'), context)?.phase).toBe('Running');
    expect(nextPodStatus(local, endedFor(shadowPod.metadata.uid), context)?.phase).toBe(
      'Succeeded',
    );
  });

  test('nextPodStatus() is nothing when there is nothing new', () => {
    expect(nextPodStatus(local, remote(remotePod(running)), context)).toBeUndefined();
  });

  test('nextPodStatus() translates every address of the pod', () => {
    const translateAddress = (address: string) => address.replace(/9$/, '8');
    const status = nextPodStatus(pending, remote(remotePod(running)), {
      ...context,
      translateAddress,
    });
    expect(status?.podIP).toBe('10.0.0.8');
    expect(status?.podIPs).toEqual([{ ip: '10.0.0.8' }, { ip: 'fd00::8' }]);
  });

  test('nextPodStatus() carries why a pod does not run, and a field that nobody knows yet', () => {
    const waiting = containerStatus({ state: { waiting: { reason: 'ImagePullBackOff' } } });
    const stuck = { phase: 'Pending' as const, containerStatuses: [waiting], tomorrow: 1 };
    const status = nextPodStatus(pending, remote(remotePod(stuck)), context);
    expect(status).toMatchObject({ containerStatuses: [waiting], tomorrow: 1 });
  });

  test('nextPodStatus() forgets why the pod had to wait before', () => {
    const waiting = storedPod({ status: { phase: 'Pending', reason: 'OffloadingBackOff' } });
    const status = nextPodStatus(waiting, remote(remotePod(running)), context);
    expect(status).not.toHaveProperty('reason');
  });

  test('nextPodStatus() keeps the phase where the provider does not know', () => {
    const status = nextPodStatus(
      local,
      remote(remotePod({ ...running, phase: 'Unknown' })),
      context,
    );
    expect(status).toBeUndefined();
  });

  test.each([
    ['another pod of that name', { annotations: { 'offloading.liqo.io/pod-uid': 'older' } }],
    ['a pod of somebody else', { labels: {} }],
  ])('nextPodStatus() takes no notice of %s', (_, metadata) => {
    const theirs = remotePod({ ...running, phase: 'Failed' }, metadata);
    expect(nextPodStatus(pending, remote(theirs), context)).toBeUndefined();
  });
});

describe('a lost contact', () => {
  const expected = {
    type: 'Ready',
    status: 'False',
    reason: 'ProviderUnreachable',
    message: 'The provider "milan" cannot be reached; the rest is what was last known',
    lastTransitionTime: context.now,
  };
  const lost = remote(undefined, { isReachable: false, shadowPod: undefined });

  test('nextPodStatus() is not Ready, and for the rest what it was', () => {
    const status = nextPodStatus(local, lost, context);
    expect(status?.conditions?.[0]).toEqual(expected);
    expect(status).toEqual({ ...local.status, conditions: status?.conditions });
  });

  test('nextPodStatus() is so as well for a pod whose node is not ready', () => {
    const marked = {
      ...local,
      metadata: { ...local.metadata, labels: { [labels.remoteUnavailable]: 'true' } },
    };
    const status = nextPodStatus(marked, remote(remotePod(running)), context);
    expect(status?.conditions?.[0]).toEqual(expected);
  });

  test('nextPodStatus() follows what the provider says while the node is not ready for another reason', () => {
    const marks = { [labels.remoteUnavailable]: 'true' };
    const marked = { ...local, metadata: { ...local.metadata, labels: marks } };
    const unready = written(marked, remote(remotePod(running)));
    const state = { terminated: { exitCode: 3, reason: 'Error' } };
    const failed = {
      ...running,
      phase: 'Failed',
      containerStatuses: [{ ...containerStatus(), state, ready: false }],
    };
    expect(written(unready, remote(remotePod(failed))).status).toMatchObject({ phase: 'Failed' });
    const restarted = {
      ...running,
      containerStatuses: [{ ...containerStatus(), restartCount: 2 }],
    };
    const later = written(unready, remote(remotePod(restarted)));
    expect(later.status).toMatchObject({
      conditions: unready.status?.conditions,
      containerStatuses: [{ restartCount: 2 }],
    });
    expect(nextPodStatus(later, remote(remotePod(restarted)), context)).toBeUndefined();
  });

  test('nextPodStatus() is written once, and taken back when the contact is there again', () => {
    const cutOff = written(local, lost);
    expect(nextPodStatus(cutOff, lost, context)).toBeUndefined();
    expect(written(cutOff, remote(remotePod(running))).status).toEqual(local.status);
  });

  test('nextPodStatus() says nothing about a pod that was not ready', () => {
    expect(nextPodStatus(pending, lost, context)).toBeUndefined();
  });
});

describe('a pod that was deleted at the provider', () => {
  const deletionTimestamp = '2026-01-01T00:09:00Z';
  const killed: PodStatus = {
    ...running,
    phase: 'Failed',
    containerStatuses: [
      containerStatus({ state: { terminated: { exitCode: 143 } }, ready: false }),
    ],
  };

  test('nextPodStatus() waits, and has not failed', () => {
    const status = nextPodStatus(local, remote(), context);
    expect(status?.phase).toBe('Running');
    expect(status?.containerStatuses?.[0]).toMatchObject({
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: 'RemotePodMissing' } },
    });
    expect(status?.conditions?.map((one) => [one.type, one.status, one.reason])).toEqual([
      ['Ready', 'False', 'RemotePodMissing'],
      ['ContainersReady', 'False', 'RemotePodMissing'],
    ]);
  });

  test('nextPodStatus() does not fail either while it goes', () => {
    const status = nextPodStatus(local, remote(remotePod(killed, { deletionTimestamp })), context);
    expect(status?.phase).toBe('Running');
    expect(status?.containerStatuses?.[0]?.state).toEqual({ waiting: expect.anything() });
  });

  test('nextPodStatus() counts a restart when it runs again', () => {
    const missing = written(local, remote());
    const again = { ...running, startTime: '2026-01-01T00:09:30Z' };
    const restarted = written(missing, remote(remotePod(again)));
    expect(restarted.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(nextPodStatus(restarted, remote(remotePod(again)), context)).toBeUndefined();
  });

  test('nextPodStatus() ends as it does over there when the pod goes here too', () => {
    const going = { ...local, metadata: { ...local.metadata, deletionTimestamp } };
    const status = nextPodStatus(going, remote(remotePod(killed, { deletionTimestamp })), context);
    expect(status?.phase).toBe('Failed');
  });

  test('nextPodStatus() has nothing more to say when it is gone, and the pod here is about to go', () => {
    const going = { ...local, metadata: { ...local.metadata, deletionTimestamp } };
    expect(nextPodStatus(going, remote(), context)).toBeUndefined();
  });

  test('nextPodStatus() has nothing to say about a pod that is not there yet', () => {
    expect(nextPodStatus(pending, remote(), context)).toBeUndefined();
    expect(
      nextPodStatus(pending, remote(undefined, { shadowPod: undefined }), context),
    ).toBeUndefined();
  });
});

describe('a pod that has finished', () => {
  test.each(['Succeeded', 'Failed'] as const)(
    'nextPodStatus() is %s with the provider',
    (phase) => {
      const status = nextPodStatus(local, remote(remotePod({ ...running, phase })), context);
      expect(status?.phase).toBe(phase);
    },
  );

  test.each(['Succeeded', 'Failed'] as const)(
    'nextPodStatus() is %s as the ShadowPod remembers, when the pod is gone',
    (phase) => {
      const remembered = { ...shadowPod, status: { phase } };
      const status = nextPodStatus(local, remote(undefined, { shadowPod: remembered }), context);
      const exitCode = phase === 'Succeeded' ? 0 : 1;
      expect(status).toMatchObject({
        phase,
        reason: 'RemotePodTerminated',
        containerStatuses: [{ ready: false, state: { terminated: { exitCode } } }],
      });
      expect(status?.conditions?.map((one) => one.status)).toEqual(['False', 'False']);
    },
  );

  test('nextPodStatus() does not believe the ShadowPod of an earlier pod', () => {
    const older = {
      ...shadowPod,
      metadata: { ...shadowPod.metadata, annotations: { 'offloading.liqo.io/pod-uid': 'older' } },
      status: { phase: 'Failed' as const },
    };
    const status = nextPodStatus(pending, remote(undefined, { shadowPod: older }), context);
    expect(status).toBeUndefined();
  });
});

describe('generations', () => {
  const spec = { containers: [{ name: 'web', image: 'nginx:1.30' }] };
  const changed = storedPod({
    metadata: { generation: 2 },
    spec,
    status: { observedGeneration: 1 } as PodStatus,
  });
  const sent = storedShadowPod(forgeShadowPod(changed, romeToMilan));
  const observedBy = (shadow: typeof sent, metadata: Pod['metadata'] = { generation: 5 }) => {
    const pod = remotePod({ ...running, observedGeneration: 5 }, metadata);
    return nextPodStatus(changed, remote(pod, { shadowPod: shadow }), context)?.observedGeneration;
  };

  test('nextPodStatus() has observed a change that reached the kubelet of the provider', () => {
    expect(observedBy(sent)).toBe(2);
  });

  test('nextPodStatus() has not observed a change that is not in the ShadowPod', () => {
    expect(observedBy(shadowPod)).toBe(1);
  });

  test('nextPodStatus() has not observed a change that is not in the pod at the provider', () => {
    const annotations = { ...sent.metadata.annotations, [appliedMetadata]: '{"generation":0}' };
    expect(observedBy(sent, { generation: 5, annotations })).toBe(1);
  });

  test('nextPodStatus() has not observed a change that the kubelet of the provider has not seen', () => {
    expect(observedBy(sent, { generation: 6 })).toBe(1);
  });
});

describe('a pod that the provider does not have as it is at the consumer', () => {
  const problem = { reason: 'ShadowPodUpdateDenied', message: 'denied' };
  const accepted = 'offloading.liqo.io/Accepted';
  const conditionOf = (status: PodStatus | undefined) =>
    status?.conditions?.find(({ type }) => type === accepted);

  const denied = nextPodStatus(local, remote(remotePod(running)), { ...context, problem });

  test('nextPodStatus() adds the problem to what the provider says, once', () => {
    expect(conditionOf(denied)).toEqual({
      type: accepted,
      status: 'False',
      ...problem,
      lastTransitionTime: context.now,
    });
    expect(denied?.phase).toBe('Running');
    const again = { ...local, ...(denied && { status: denied }) };
    const later = { ...context, problem, now: '2026-01-01T00:20:00Z' };
    expect(nextPodStatus(again, remote(remotePod(running)), later)).toBeUndefined();
  });

  test('nextPodStatus() drops the problem once it is over', () => {
    const again = { ...local, ...(denied && { status: denied }) };
    const status = nextPodStatus(again, remote(remotePod(running)), context);
    expect(status).toEqual(local.status);
  });

  test('nextPodStatus() leaves the problem alone while the provider cannot be reached', () => {
    const again = { ...local, ...(denied && { status: denied }) };
    const status = nextPodStatus(again, remote(undefined, { isReachable: false }), context);
    expect(conditionOf(status)).toEqual(conditionOf(denied));
  });

  const waiting = (reason: string): PodStatus => ({
    phase: 'Pending',
    reason,
    message: 'no',
    conditions: [{ type: accepted, status: 'False', reason, message: 'no' }],
  });

  test('nextPodStatus() drops a denial when there is a ShadowPod, before there is a pod', () => {
    const denial = storedPod({ status: waiting('ShadowPodDenied') });
    expect(nextPodStatus(denial, remote(), context)).toEqual({ phase: 'Pending', conditions: [] });
  });

  test('nextPodStatus() keeps another problem until there is a pod', () => {
    const taken = storedPod({ status: waiting('NameTaken') });
    expect(nextPodStatus(taken, remote(), context)).toBeUndefined();
    const status = nextPodStatus(taken, remote(remotePod(running)), context);
    expect(conditionOf(status)).toBeUndefined();
    expect(status).not.toHaveProperty('reason');
  });

  test('nextPodStatus() drops the problem of a pod that has finished', () => {
    const finished = { ...shadowPod, status: { phase: 'Succeeded' as const } };
    const again = { ...local, ...(denied && { status: denied }) };
    const status = nextPodStatus(again, remote(undefined, { shadowPod: finished }), context);
    expect(status?.phase).toBe('Succeeded');
    expect(conditionOf(status)).toBeUndefined();
  });
});
