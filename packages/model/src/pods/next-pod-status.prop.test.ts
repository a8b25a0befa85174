import type { ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyAddress } from '../testing/any-address.ts';
import { containerStatus } from '../testing/container-status.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { isFinished } from './finished-phase.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { nextPodStatus, type RemoteState } from './next-pod-status.ts';
import type { PodStatus } from './pod-status.ts';

const context = {
  route: romeToMilan,
  nodeAddress: '192.168.0.7',
  addressPolicy: anyAddress,
  now: '2026-01-01T00:10:00Z',
};
const phase = fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown');
const policy = fc.constantFrom('Always', 'OnFailure', 'Never');

const state = fc.constantFrom(
  { running: { startedAt: '2026-01-01T00:00:01Z' } },
  { waiting: { reason: 'CrashLoopBackOff' } },
  { terminated: { exitCode: 0, finishedAt: '2026-01-01T00:00:02Z' } },
  { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:00:03Z' } },
);

const statuses: fc.Arbitrary<PodStatus> = fc
  .record({
    phase,
    ready: fc.constantFrom('True', 'False'),
    startTime: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:05:00Z'),
    containers: fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        containerID: fc.constantFrom('1', '2'),
        restartCount: fc.nat(3),
        state,
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ ready, containers, ...rest }) => ({
    ...rest,
    conditions: [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T00:00:04Z' }],
    containerStatuses: [
      ...new Map(containers.map((one) => [one.name, containerStatus(one)])).values(),
    ],
  })) as fc.Arbitrary<PodStatus>;

/** What can be at the provider, one thing after the other. */
interface Moment {
  readonly isReachable: boolean;
  readonly status: PodStatus | undefined;
  readonly isDeleted: boolean;
  readonly shadowPhase: NonNullable<ShadowPod['status']>['phase'] | undefined;
}

const moments: fc.Arbitrary<Moment> = fc.record({
  isReachable: fc.boolean(),
  status: fc.option(statuses, { nil: undefined }),
  isDeleted: fc.boolean(),
  shadowPhase: fc.option(phase, { nil: undefined }),
}) as fc.Arbitrary<Moment>;

function remoteState(local: Stored<Pod>, moment: Moment): RemoteState {
  const shadowPod = storedShadowPod(forgeShadowPod(local, romeToMilan), moment.shadowPhase);
  const deletionTimestamp = '2026-01-01T00:09:00Z';
  const pod =
    moment.status &&
    storedPod({
      metadata: {
        ...shadowPod.metadata,
        uid: 'remote',
        ...(moment.isDeleted && { deletionTimestamp, deletionGracePeriodSeconds: 0 }),
      },
      spec: local.spec ?? {},
      status: moment.status,
    });
  return { isReachable: moment.isReachable, shadowPod, pod };
}

function pass(local: Stored<Pod>, moment: Moment): Stored<Pod> {
  const status = nextPodStatus(local, remoteState(local, moment), context);
  return status ? { ...local, status } : local;
}

function podWith(restartPolicy: string): Stored<Pod> {
  const containers = [{ name: 'a' }, { name: 'b' }];
  return storedPod({ spec: { restartPolicy, containers } as NonNullable<Pod['spec']> });
}

const histories = fc.array(moments, { maxLength: 8 });

test('nextPodStatus() has nothing to add to what it has just said', () => {
  fc.assert(
    fc.property(policy, histories, moments, (restartPolicy, history, moment) => {
      const before = history.reduce(pass, podWith(restartPolicy));
      const after = pass(before, moment);
      expect(pass(after, moment)).toEqual(after);
    }),
  );
});

test('nextPodStatus() never brings back a pod that has finished', () => {
  fc.assert(
    fc.property(policy, histories, histories, (restartPolicy, first, second) => {
      const before = first.reduce(pass, podWith(restartPolicy));
      fc.pre(isFinished(before.status?.phase));
      expect(second.reduce(pass, before)).toEqual(before);
    }),
  );
});

test('nextPodStatus() never ends a pod of which nobody has said that it ended', () => {
  fc.assert(
    fc.property(policy, histories, (restartPolicy, history) => {
      const isNoEnd = ({ status, shadowPhase, isReachable }: Moment) =>
        !isReachable || (!isFinished(status?.phase) && !isFinished(shadowPhase));
      const after = history.filter(isNoEnd).reduce(pass, podWith(restartPolicy));
      expect(isFinished(after.status?.phase)).toBe(false);
    }),
  );
});

test('nextPodStatus() never counts restarts backwards', () => {
  const countOf = (pod: Stored<Pod>, name: string) =>
    pod.status?.containerStatuses?.find((one) => one.name === name)?.restartCount ?? 0;
  fc.assert(
    fc.property(policy, histories, moments, (restartPolicy, history, moment) => {
      const before = history.reduce(pass, podWith(restartPolicy));
      const after = pass(before, moment);
      for (const name of ['a', 'b']) {
        expect(countOf(after, name)).toBeGreaterThanOrEqual(countOf(before, name));
      }
    }),
  );
});

test('nextPodStatus() never asks the API server for what it would refuse: an ended container that runs', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Never', 'OnFailure'),
      histories,
      moments,
      (restartPolicy, history, moment) => {
        const before = history.reduce(pass, podWith(restartPolicy));
        const after = pass(before, moment);
        const ended = before.status?.containerStatuses?.filter(
          ({ state: was }) =>
            was?.terminated && (restartPolicy === 'Never' || was.terminated.exitCode === 0),
        );
        for (const { name } of ended ?? []) {
          const now = after.status?.containerStatuses?.find((one) => one.name === name);
          expect(now?.state?.terminated).toBeDefined();
        }
      },
    ),
  );
});
