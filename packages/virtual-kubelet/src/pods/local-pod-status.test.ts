import { annotations, labels, type ShadowPod } from '@liqo/api';
import { findCondition, formatTime, Pod, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { always, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noAddresses } from '../addresses/address-source.ts';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { LocalPodStatus } from './local-pod-status.ts';

const key = { namespace: 'shop', name: 'web' };

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, context, cacheOf, run } = world;
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  const local = await admin.create(Pod, { metadata: key, spec });
  const status = new LocalPodStatus({
    context,
    pods: await cacheOf(Pod),
    nodeAddress: '127.0.0.1',
    addresses: noAddresses,
  });
  const route = {
    consumerClusterID: 'rome',
    providerClusterID: 'milan',
    nodeName: 'mynode',
    remoteNamespace: 'shop-rome',
  };
  const session = { health: { contact: 'there' as const } };
  return {
    ...world,
    /** What the provider says of a pod that it has not made. */
    wait: (pod: Stored<Pod>, said: { readonly reason: string; readonly message: string }) => {
      const { metadata } = pod;
      const shadowPod = { metadata, status: { phase: 'Unknown', ...said } } as Stored<ShadowPod>;
      return status.reflect({ local: pod, route, session }, { pod: undefined, shadowPod }, run);
    },
    local,
    /** The provider denies the ShadowPod of the pod. */
    deny: (pod: Stored<Pod>) => {
      const problem = { reason: 'ShadowPodDenied', message: 'it is forbidden' };
      const twins = { pod: undefined, shadowPod: undefined };
      return status.sayDenied({ local: pod, route, problem, session }, twins, run);
    },
    say: () => status.sayWaiting(local, 'NameTaken', 'it is taken', run),
    /** What the provider says of a pod that it has made at that moment. */
    reflect: (createdMs: number, remoteStatus: NonNullable<Pod['status']>) => {
      const pod: Stored<Pod> = {
        ...local,
        metadata: {
          ...local.metadata,
          labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
          annotations: { [annotations.podUid]: local.metadata.uid },
          creationTimestamp: formatTime(createdMs),
        },
        status: remoteStatus,
      };
      return status.reflect({ local, route, session }, { pod, shadowPod: undefined }, run);
    },
  };
}

describe('LocalPodStatus', () => {
  test('tells what it wrote, so that nobody acts before the cache shows it', async () => {
    const { admin, say, written } = await startWorld();
    await say();
    expect(written).toEqual([await admin.get(Pod, key)]);
  });

  test('waits with what says little from when the provider began, however long that took', async () => {
    const { clock, written, reflect } = await startWorld();
    await clock.advance(60_000);
    const beganMs = clock.now();
    expect(await reflect(beganMs, { phase: 'Pending' })).toBe(10_000);
    await clock.advance(4_000);
    expect(await reflect(beganMs, { phase: 'Pending' })).toBe(6_000);
    expect(written).toEqual([]);
    expect(await reflect(beganMs, { phase: 'Running' })).toBe(0);
    expect(written).toHaveLength(1);
  });

  test('shows a pod that has run, and waits for the quota at the provider, as not ready', async () => {
    const { clock, written, reflect, wait } = await startWorld();
    const ready = { type: 'Ready', status: 'True' as const };
    const running = { name: 'main', image: 'i', imageID: 'i', restartCount: 0, ready: true };
    const state = { running: { startedAt: formatTime(clock.now()) } };
    await reflect(clock.now(), {
      phase: 'Running',
      conditions: [ready],
      containerStatuses: [{ ...running, state }],
    });
    const [started] = written as readonly Stored<Pod>[];
    expect(started?.status?.conditions).toContainEqual(expect.objectContaining(ready));
    const problem = { reason: 'QuotaExceeded', message: 'slice mypool: cpu 4 of 4 in use' };
    await wait(started as Stored<Pod>, problem);
    const { status } = (written as readonly Stored<Pod>[]).at(-1) ?? {};
    expect(status?.phase).toBe('Running');
    expect(findCondition(status?.conditions, 'Ready')?.status).toBe('False');
    const accepted = findCondition(status?.conditions, 'offloading.liqo.io/Accepted');
    expect(accepted).toMatchObject({ status: 'False', ...problem });
  });

  test('writes once that a pod is denied, whatever generation its conditions had observed', async () => {
    const { admin, local, written, faults, deny } = await startWorld();
    const patches = () => faults.calls.filter(({ verb }) => verb === 'patch');
    const observed = { observedGeneration: 1, lastTransitionTime: '2030-01-01T00:00:00Z' };
    const ran = { name: 'main', image: 'i', imageID: 'i', restartCount: 0, ready: true };
    const status = {
      phase: 'Running' as const,
      conditions: [{ type: 'Ready', status: 'True' as const, ...observed }],
      containerStatuses: [{ ...ran, state: { running: {} } }],
    };
    await deny(await admin.updateStatus(Pod, { ...local, status }));
    await deny(written[0] as Stored<Pod>);
    expect(patches()).toHaveLength(1);
  });

  test('does not mind that the pod is gone', async () => {
    const { admin, say, written } = await startWorld();
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await say();
    expect(written).toEqual([]);
  });

  test.each([403, 409, 500])('says so when it is refused: %d', async (code) => {
    const { faults, say } = await startWorld();
    faults.plan = always(refusal(code));
    expect(await rejection(say())).toMatchObject({ code });
  });
});
