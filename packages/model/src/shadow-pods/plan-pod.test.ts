import { labels, type ShadowPod } from '@liqo/api';
import type { Namespace, Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { appliedMetadata } from '../applied-metadata.ts';
import { defaultPodPolicy } from '../pod-policy/pod-policy.ts';
import { forgeShadowPod } from '../pods/forge-shadow-pod.ts';
import { consumerPodUid } from '../pods/pod-kinship.ts';
import { recordedPod } from '../testing/recorded-pod.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { nextShadowPodPhase, type PodPlace, planPod } from './plan-pod.ts';

const namespace: Namespace = {
  metadata: { name: 'shop-rome', labels: { [labels.remoteClusterID]: 'rome' } },
};
const here: PodPlace = { namespace, policy: defaultPodPolicy };

const local = storedPod({ metadata: { labels: { app: 'web' }, annotations: { team: 'blue' } } });
const shadowPod = storedShadowPod(forgeShadowPod(local, romeToMilan));

/** The pod that was made for a ShadowPod, as the API server has it since. */
function madeFor(one: Stored<ShadowPod>): Stored<Pod> {
  const step = planPod(one, undefined, here);
  if (step.type !== 'create') throw new Error(`Expected a pod to be made, not "${step.type}"`);
  return storedPod({
    ...step.pod,
    spec: { ...step.pod.spec, nodeName: 'worker-1' },
    status: { phase: 'Running' },
    metadata: { ...step.pod.metadata, uid: 'remote-uid' },
  });
}

function changed(
  one: Stored<ShadowPod>,
  metadata: Partial<Stored<ShadowPod>['metadata']>,
  pod: Partial<NonNullable<ShadowPod['spec']['pod']>> = {},
): Stored<ShadowPod> {
  const spec = { pod: { containers: [], ...one.spec.pod, ...pod } };
  return { ...one, metadata: { ...one.metadata, ...metadata }, spec };
}

const pod = madeFor(shadowPod);

describe('a pod that is missing', () => {
  test('planPod() makes it as Liqo v1.2.0 does: name, labels, owner, spec', () => {
    const recorded = storedShadowPod(
      forgeShadowPod(recordedPod, { ...romeToMilan, remoteNamespace: 'shop2-rome' }),
    );
    const step = planPod(recorded, undefined, here);
    expect(step).toMatchObject({
      type: 'create',
      pod: {
        metadata: {
          name: 'cart-676564876-pntnh',
          namespace: 'shop2-rome',
          labels: { ...recorded.metadata.labels, 'liqo.io/managed-by': 'shadowpod' },
          annotations: { team: 'blue' },
          ownerReferences: [
            {
              apiVersion: 'offloading.liqo.io/v1beta1',
              kind: 'ShadowPod',
              name: 'cart-676564876-pntnh',
              uid: 'shadow-uid',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: recorded.spec.pod,
      },
    });
  });

  test('planPod() makes none that the policy of the provider refuses', () => {
    const volumes = [{ name: 'data', nfs: { server: '10.0.0.1', path: '/' } }];
    expect(planPod(changed(shadowPod, {}, { volumes }), undefined, here)).toEqual({
      type: 'refuse',
      reason: 'PodPolicy',
      message:
        'Cannot run ShadowPod "web": volume "data" is of type nfs, which is not for consumers',
    });
  });

  test('planPod() makes it without annotations and labels that the provider denies', () => {
    const { labels: marks, annotations } = shadowPod.metadata;
    const orders = { 'iam.amazonaws.com/role': 'admin', 'sidecar.istio.io/inject': 'true' };
    const hostile = changed(shadowPod, {
      labels: { ...marks, ...orders },
      annotations: { ...annotations, ...orders },
    });
    expect(planPod(hostile, undefined, here)).toEqual(planPod(shadowPod, undefined, here));
    expect(planPod(hostile, pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() does not let a consumer around the scheduler or onto a host', () => {
    const hostile = changed(
      shadowPod,
      {},
      {
        nodeName: 'control-plane',
        hostNetwork: true,
        hostPID: true,
        priorityClassName: 'system-node-critical',
      },
    );
    const step = planPod(hostile, undefined, here);
    expect(step).toEqual(planPod(shadowPod, undefined, here));
  });

  test.each(['Succeeded', 'Failed'] as const)(
    'planPod() does not make it again once it %s',
    (phase) => {
      const finished = { ...shadowPod, status: { phase } };
      expect(planPod(finished, undefined, here)).toEqual({ type: 'leave' });
    },
  );

  test('planPod() does not make it for a ShadowPod that is being deleted', () => {
    const going = changed(shadowPod, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(planPod(going, undefined, here)).toEqual({ type: 'leave' });
  });

  test('planPod() refuses a ShadowPod without a pod', () => {
    expect(planPod({ ...shadowPod, spec: {} }, undefined, here)).toEqual({
      type: 'refuse',
      reason: 'NoPodSpec',
      message: 'Cannot run ShadowPod "web": spec.pod is empty',
    });
  });
});

describe('somebody else', () => {
  test.each([
    ['another consumer', { [labels.origin]: 'paris' }],
    ['nobody', {}],
  ])('planPod() refuses a ShadowPod of %s in the namespace', (_, marks) => {
    const step = planPod(changed(shadowPod, { labels: marks }), undefined, here);
    expect(step).toMatchObject({ type: 'refuse', reason: 'OriginMismatch' });
  });

  test('planPod() runs nothing in a namespace that was made for no consumer', () => {
    const step = planPod(shadowPod, undefined, {
      ...here,
      namespace: { metadata: { name: 'default' } },
    });
    expect(step).toMatchObject({ type: 'refuse', reason: 'OriginMismatch' });
  });

  test.each([
    ['nobody owns', []],
    [
      'a ReplicaSet owns',
      [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'x', controller: true }],
    ],
    [
      'a ShadowPod of another name owns',
      [
        {
          apiVersion: 'offloading.liqo.io/v1beta1',
          kind: 'ShadowPod',
          name: 'other',
          uid: 'x',
          controller: true,
        },
      ],
    ],
  ])('planPod() leaves alone a pod of that name that %s', (_, ownerReferences) => {
    const theirs = storedPod({ metadata: { ownerReferences } });
    expect(planPod(shadowPod, theirs, here)).toEqual({
      type: 'refuse',
      reason: 'NameTaken',
      message: 'Cannot run ShadowPod "web": a pod of that name exists and was not made for it',
    });
  });
});

describe('a pod made for an earlier ShadowPod', () => {
  const next = changed(shadowPod, { uid: 'next' });

  test('planPod() deletes it, then waits until it is gone', () => {
    expect(planPod(next, pod, here)).toEqual({ type: 'delete', pod });
    const going = {
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(planPod(next, going, here)).toEqual({ type: 'wait' });
  });

  test('planPod() deletes it as well if only the pod at the consumer is another one', () => {
    const other = changed(shadowPod, { annotations: { [consumerPodUid]: 'another' } });
    expect(planPod(other, pod, here)).toEqual({ type: 'delete', pod });
  });
});

describe('a pod that is there', () => {
  test('planPod() leaves it if it is good', () => {
    expect(planPod(shadowPod, pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() leaves what admission at the provider made of it', () => {
    const labelled = { ...pod.metadata.labels, 'istio.io/rev': 'default' };
    const containers = [{ name: 'web', image: 'mirror/nginx:1.29' }, { name: 'proxy' }];
    const injected = storedPod({
      ...pod,
      metadata: { ...pod.metadata, labels: labelled },
      spec: { ...pod.spec, containers },
    });
    expect(planPod(shadowPod, injected, here)).toEqual({ type: 'leave' });
  });

  test.each([
    ['another user', { [labels.creatorUser]: 'mypool' }, { [labels.creatorUser]: 'other' }],
    ['a user, where there was none', {}, { [labels.creatorUser]: 'other' }],
    ['no user any more', { [labels.creatorUser]: 'mypool' }, {}],
  ])(
    'planPod() keeps the user whom a pod is charged to, when its ShadowPod names %s',
    (_, before, after) => {
      const one = changed(shadowPod, { labels: { ...shadowPod.metadata.labels, ...before } });
      const other = changed(one, {
        labels: { ...shadowPod.metadata.labels, ...after, tier: 'front' },
      });
      const step = planPod(other, madeFor(one), here);
      if (step.type !== 'update') throw new Error(`Unexpected step "${step.type}"`);
      const kept = { ...shadowPod.metadata.labels, ...before, tier: 'front' };
      expect(step.pod.metadata.labels).toEqual({ ...kept, [labels.managedBy]: 'shadowpod' });
    },
  );

  test('planPod() adds, changes and removes labels and annotations, and keeps those of others', () => {
    const noted = { ...pod.metadata.annotations, 'cni.example.com/ip': '10.0.0.1' };
    const current = { ...pod, metadata: { ...pod.metadata, annotations: noted } };
    const { app: _, ...others } = shadowPod.metadata.labels ?? {};
    const relabelled = changed(shadowPod, {
      labels: { ...others, tier: 'front' },
      annotations: {},
    });
    const step = planPod(relabelled, current, here);
    if (step.type !== 'update') throw new Error(`Unexpected step "${step.type}"`);
    const { labels: after, annotations } = step.pod.metadata;
    expect(after).toEqual({ ...others, tier: 'front', [labels.managedBy]: 'shadowpod' });
    expect(annotations).toEqual({
      'cni.example.com/ip': '10.0.0.1',
      [appliedMetadata]: expect.any(String),
    });
    expect(planPod(relabelled, step.pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() makes a new image follow, once', () => {
    const containers = [{ name: 'web', image: 'nginx:1.30' }];
    const updated = changed(shadowPod, { generation: 2 }, { containers });
    const step = planPod(updated, pod, here);
    if (step.type !== 'update') throw new Error(`Unexpected step "${step.type}"`);
    expect(step.pod.spec?.containers).toEqual(containers);
    expect(step.pod.spec?.nodeName).toBe('worker-1');
    expect(planPod(updated, step.pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() adds no toleration to a running pod that the provider denies', () => {
    const stay = { key: 'guests', operator: 'Exists' };
    const tolerations = [{ operator: 'Exists' }, stay];
    const updated = changed(shadowPod, { generation: 2 }, { tolerations });
    const step = planPod(updated, pod, here);
    if (step.type !== 'update') throw new Error(`Unexpected step "${step.type}"`);
    expect(step.pod.spec?.tolerations).toEqual([stay]);
    expect(planPod(updated, step.pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() leaves a running pod as it is when the policy refuses what it is to become', () => {
    const containers = [{ name: 'web', image: 'nginx:1.30' }];
    const updated = changed(shadowPod, { generation: 2 }, { containers, serviceAccountName: 'x' });
    expect(planPod(updated, pod, here)).toEqual({
      type: 'refuse',
      reason: 'FailedUpdatePod',
      message: 'Cannot update pod "web": service account "x" is not for consumers',
    });
    const allowed = { ...here, policy: { ...defaultPodPolicy, serviceAccounts: ['x'] } };
    expect(planPod(updated, pod, allowed).type).toBe('update');
  });

  test('planPod() resizes before it updates', () => {
    const resources = { requests: { cpu: '2' } };
    const containers = [{ name: 'web', image: 'nginx:1.30', resources }];
    const updated = changed(shadowPod, { generation: 2 }, { containers });
    const first = planPod(updated, pod, here);
    if (first.type !== 'resize') throw new Error(`Unexpected step "${first.type}"`);
    expect(first.pod.spec?.containers).toEqual([{ name: 'web', image: 'nginx:1.29', resources }]);
    expect(planPod(updated, first.pod, here).type).toBe('update');
  });

  const withSidecar = (cpu: string) => {
    const resources = { requests: { cpu } };
    return [{ name: 'proxy', image: 'envoy', restartPolicy: 'Always', resources }];
  };

  test('planPod() resizes a sidecar, once', () => {
    const asked = changed(shadowPod, {}, { initContainers: withSidecar('1') });
    const updated = changed(asked, { generation: 2 }, { initContainers: withSidecar('2') });
    const first = planPod(updated, madeFor(asked), here);
    if (first.type !== 'resize') throw new Error(`Unexpected step "${first.type}"`);
    expect(first.pod.spec?.initContainers).toEqual(withSidecar('2'));
    expect(planPod(updated, first.pod, here).type).toBe('update');
  });

  test('planPod() makes the labels follow though a resize was denied, and plans the resize again', () => {
    const containers = [
      { name: 'web', image: 'nginx:1.29', resources: { requests: { cpu: '2' } } },
    ];
    const marks = { ...shadowPod.metadata.labels, tier: 'front' };
    const updated = changed(shadowPod, { generation: 2, labels: marks }, { containers });
    const denied = ['resize'] as const;
    const step = planPod(updated, pod, here, denied);
    if (step.type !== 'update') throw new Error(`Unexpected step "${step.type}"`);
    expect(step.pod.metadata.labels).toMatchObject({ tier: 'front' });
    expect(step.pod.spec).toEqual(pod.spec);
    expect(planPod(updated, step.pod, here, denied)).toEqual({ type: 'leave' });
    expect(planPod(updated, step.pod, here).type).toBe('resize');
  });

  const shell = { name: 'shell', image: 'busybox' };
  const debugged = changed(shadowPod, { generation: 2 }, { ephemeralContainers: [shell] });

  test('planPod() adds an ephemeral container, keeps those that are there, and records it', () => {
    const present = { name: 'probe', image: 'curl' };
    const running = {
      ...pod,
      spec: { containers: [], ...pod.spec, ephemeralContainers: [present] },
    };
    const step = planPod(debugged, running, here);
    if (step.type !== 'debug') throw new Error(`Unexpected step "${step.type}"`);
    expect(step.pod.spec?.ephemeralContainers).toEqual([present, shell]);
    const next = planPod(debugged, step.pod, here);
    if (next.type !== 'update') throw new Error(`Unexpected step "${next.type}"`);
    expect(planPod(debugged, next.pod, here)).toEqual({ type: 'leave' });
  });

  test('planPod() creates a pod without ephemeral containers, and does not add them to it', () => {
    const again = madeFor(debugged);
    expect(again.spec).not.toHaveProperty('ephemeralContainers');
    expect(planPod(debugged, again, here)).toEqual({ type: 'leave' });
  });

  test('planPod() adds an ephemeral container though another one was denied a moment ago', () => {
    const probe = { name: 'probe', image: 'curl' };
    const both = changed(debugged, {}, { ephemeralContainers: [shell, probe] });
    const denied = [{ ephemeralContainer: 'shell' }];
    const step = planPod(both, pod, here, denied);
    if (step.type !== 'debug') throw new Error(`Unexpected step "${step.type}"`);
    expect(step.pod.spec?.ephemeralContainers).toEqual([probe]);
    expect(planPod(both, step.pod, here, denied)).toEqual({ type: 'leave' });
    expect(planPod(both, step.pod, here)).toMatchObject({
      type: 'debug',
      change: { ephemeralContainer: 'shell' },
    });
  });

  test('planPod() plans no update that was denied a moment ago', () => {
    const updated = changed(shadowPod, { labels: { ...shadowPod.metadata.labels, tier: 'front' } });
    expect(planPod(updated, pod, here, ['update'])).toEqual({ type: 'leave' });
  });

  test('planPod() adopts the pod that Liqo made, and writes down what it did', () => {
    const { [appliedMetadata]: _, ...annotations } = pod.metadata.annotations ?? {};
    const adopted = { ...pod, metadata: { ...pod.metadata, annotations } };
    const step = planPod(shadowPod, adopted, here);
    expect(step).toMatchObject({ type: 'update', pod: { spec: pod.spec } });
  });

  test('planPod() waits until a pod that is being deleted is gone', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    const going = { ...pod, metadata: { ...pod.metadata, deletionTimestamp } };
    expect(planPod(shadowPod, going, here)).toEqual({ type: 'wait' });
  });

  test('planPod() leaves a finished pod as it is', () => {
    const finished = { ...pod, status: { phase: 'Succeeded' as const } };
    const updated = changed(shadowPod, { generation: 2, labels: shadowPod.metadata.labels ?? {} });
    expect(planPod(updated, finished, here)).toEqual({ type: 'leave' });
  });
});

describe('nextShadowPodPhase()', () => {
  const withPhase = (phase: NonNullable<Pod['status']>['phase']) =>
    ({ ...pod, status: { ...(phase && { phase }) } }) as Stored<Pod>;

  test.each(['Pending', 'Running', 'Succeeded', 'Failed'] as const)(
    'is %s as the pod is',
    (phase) => {
      expect(nextShadowPodPhase(shadowPod, withPhase(phase))).toBe(phase);
    },
  );

  test('is nothing to be written where it is known already', () => {
    const running = { ...shadowPod, status: { phase: 'Running' as const } };
    expect(nextShadowPodPhase(running, pod)).toBeUndefined();
  });

  test.each(['Pending', 'Running', 'Failed'] as const)(
    'stays Succeeded, even if a pod is %s',
    (phase) => {
      const succeeded = { ...shadowPod, status: { phase: 'Succeeded' as const } };
      expect(nextShadowPodPhase(succeeded, withPhase(phase))).toBeUndefined();
    },
  );

  test.each([
    ['Pending', undefined],
    ['Running', undefined],
    ['Succeeded', 'Succeeded'],
    ['Failed', 'Failed'],
  ] as const)('of one that is being deleted, with a pod that is %s, is %s', (phase, expected) => {
    const leaving = changed(shadowPod, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(nextShadowPodPhase(leaving, withPhase(phase))).toBe(expected);
  });

  test('takes no notice of a pod that was killed by being deleted, of none, or of a strange one', () => {
    const killed = {
      ...withPhase('Failed'),
      metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(nextShadowPodPhase(shadowPod, killed)).toBeUndefined();
    expect(nextShadowPodPhase(shadowPod, undefined)).toBeUndefined();
    expect(
      nextShadowPodPhase(shadowPod, storedPod({ status: { phase: 'Failed' } })),
    ).toBeUndefined();
  });
});
