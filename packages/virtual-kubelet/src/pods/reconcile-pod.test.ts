import { annotations, labels, ShadowPod } from '@liqo/api';
import { LearntLimit, mergePatch, Pod, Secret, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { type ApiCall, faultOn, isWrite, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noAddresses } from '../addresses/address-source.ts';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { LocalPodStatus } from './local-pod-status.ts';
import { PodTokens } from './pod-tokens.ts';
import { PodReconciler } from './reconcile-pod.ts';
import { Turns } from './turns.ts';

const key = { namespace: 'shop', name: 'web' };
const remoteKey = { namespace: 'shop-rome', name: 'web' };
const marks = {
  [labels.origin]: 'rome',
  [labels.destination]: 'milan',
  [labels.nodeName]: 'mynode',
};
const podSpec = { containers: [{ name: 'main', image: 'i' }] };

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, context, cacheOf, run, faults } = world;
  const look = async () => ({
    pods: await cacheOf(Pod),
    shadowPods: await cacheOf(ShadowPod),
    hasSynced: true,
  });
  /** For as many as there are. */
  const turns = () =>
    new Turns({
      clock: context.clock,
      limit: new LearntLimit(),
      longestMs: 2_000,
      lateNewsMs: 100,
      onTurn: () => undefined,
    });
  return {
    ...world,
    look,
    reconcile: async (view = look()) => {
      const { pods, shadowPods, hasSynced } = await view;
      const status = new LocalPodStatus({
        context,
        pods,
        nodeAddress: '127.0.0.1',
        addresses: noAddresses,
      });
      const remote = { name: remoteKey.namespace, shadowPods, pods, hasSynced, isWanted: true };
      const session = {
        client,
        health: { contact: 'there' as const },
        namespaces: { of: () => remote },
      };
      return new PodReconciler({
        context,
        pods,
        link: { session, contact: 'there', virtualNode: undefined },
        status,
        tokens: new PodTokens(context, status),
        turns: { start: turns(), end: turns() },
        notReflected: { labels: [], annotations: [] },
        consumerApiServer: { host: 'kubernetes.default', port: '443' },
      }).reconcile(key, run);
    },
    createPod: () => admin.create(Pod, { metadata: key, spec: { nodeName: 'mynode', ...podSpec } }),
    deletePod: () => admin.delete(Pod, key, { gracePeriodSeconds: 30 }),
    removePod: () => admin.delete(Pod, key, { gracePeriodSeconds: 0 }),
    createShadowPod: (uid: string, nodeName = 'mynode') =>
      admin.create(ShadowPod, {
        metadata: {
          ...remoteKey,
          labels: { ...marks, [labels.nodeName]: nodeName },
          annotations: { [annotations.podUid]: uid },
        },
        spec: { pod: podSpec },
      }),
    pod: () => admin.get(Pod, key),
    shadowPod: () => admin.get(ShadowPod, remoteKey) as Promise<Stored<ShadowPod>>,
    writes: () => faults.calls.filter(isWrite).map(({ verb, resource }) => `${verb} ${resource}`),
  };
}

const isCreation = ({ verb, resource }: ApiCall) =>
  verb === 'create' && resource.startsWith('shadowpods');

function alreadyExists() {
  const reason = { reason: 'AlreadyExists', code: 409, message: 'it exists' };
  return { answer: { status: 409, body: JSON.stringify({ kind: 'Status', ...reason }) } };
}

describe('a pod of the virtual node that is reconciled', () => {
  test('tells what was written, so that nobody acts before the cache shows it', async () => {
    const { admin, createPod, deletePod, reconcile, shadowPod, written } = await startWorld();
    const { metadata } = await createPod();
    await reconcile();
    expect(written).toEqual([await shadowPod()]);
    await admin.patch(Pod, key, mergePatch({ metadata: { labels: { tier: 'front' } } }));
    await reconcile();
    const shadowPods = written.filter(({ kind }) => kind === 'ShadowPod');
    expect(shadowPods.slice(1)).toEqual([await shadowPod()]);
    await deletePod();
    await admin.delete(ShadowPod, remoteKey);
    await reconcile();
    expect(written.at(-1)?.metadata.uid).toBe(metadata.uid);
  });

  test('does nothing before everything over there has been seen', async () => {
    const { createPod, look, reconcile, writes } = await startWorld();
    await createPod();
    await reconcile(look().then((view) => ({ ...view, hasSynced: false })));
    expect(writes()).toEqual([]);
  });

  test.each([401, 404, 500])('is tried again when the provider fails: %d', async (code) => {
    const { createPod, reconcile, faults, events } = await startWorld();
    await createPod();
    faults.plan = faultOn(isCreation, refusal(code));
    expect(await rejection(reconcile())).toMatchObject({ code });
    expect(events).toEqual([]);
  });

  test('is content with a shadow pod of its own that the cache does not show yet', async () => {
    const { createPod, createShadowPod, look, reconcile, shadowPod } = await startWorld();
    const { metadata } = await createPod();
    const behind = look();
    await behind;
    const before = await createShadowPod(metadata.uid);
    await reconcile(behind);
    expect((await shadowPod()).metadata.uid).toBe(before.metadata.uid);
  });

  test('tries again at once when what was in its way is gone', async () => {
    const { createPod, reconcile, faults } = await startWorld();
    await createPod();
    faults.plan = faultOn(isCreation, alreadyExists());
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 0 });
  });

  test('that goes is released only if the provider itself says that nothing is left', async () => {
    const { createPod, deletePod, createShadowPod, look, reconcile, pod } = await startWorld();
    const { metadata } = await createPod();
    await deletePod();
    const behind = look();
    await behind;
    await createShadowPod(metadata.uid);
    expect(await reconcile(behind)).toMatchObject({ type: 'requeueAfter' });
    expect(await pod()).toBeDefined();
  });

  test('that goes has no tokens left over there when it is released', async () => {
    const { admin, createPod, deletePod, reconcile, pod } = await startWorld();
    const { metadata } = await createPod();
    const secret = { namespace: remoteKey.namespace, name: 'web-token' };
    const notes = { [annotations.serviceAccountForPodUid]: metadata.uid };
    await admin.create(Secret, { metadata: { ...secret, annotations: notes } });
    await deletePod();
    await reconcile();
    expect(await pod()).toBeUndefined();
    expect(await admin.get(Secret, secret)).toBeUndefined();
  });

  test('is not taken for gone because the cache does not show it', async () => {
    const { createPod, removePod, createShadowPod, look, reconcile, shadowPod } =
      await startWorld();
    const { metadata } = await createPod();
    await createShadowPod(metadata.uid);
    const view = look();
    await view;
    await removePod();
    const { pods } = await look();
    const { metadata: later } = await createPod();
    await reconcile(view.then((known) => ({ ...known, pods })));
    expect(await shadowPod()).toBeUndefined();
    await createShadowPod(later.uid);
    const known = look();
    await reconcile(known.then((now) => ({ ...now, pods })));
    expect(await shadowPod()).toBeDefined();
  });

  test('leaves the shadow pod of another node to that node', async () => {
    const { createShadowPod, reconcile, shadowPod } = await startWorld();
    await createShadowPod('gone', 'another');
    await reconcile();
    expect(await shadowPod()).toBeDefined();
  });
});
