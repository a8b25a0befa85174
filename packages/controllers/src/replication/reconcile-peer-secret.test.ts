import { annotations, finalizers, labels } from '@liqo/api';
import { Secret } from '@liqo/kube';
import type { PeerAccess } from '@liqo/model';
import { TerminalError } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { PeerSecretReconciler } from './reconcile-peer-secret.ts';

const key = { namespace: 'liqo-tenant-milan', name: 'to-milan' };

interface Circumstances {
  readonly misplaced?: string;
  readonly held?: number;
  readonly leadsSomewhere?: boolean;
  readonly access?: PeerAccess;
}

async function startWorld(circumstances: Circumstances = {}) {
  const { held = 0, leadsSomewhere = true, access = 'granted' } = circumstances;
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, run, cacheOf } = world;
  const connected = new Set<string>();
  const connections = {
    open: async (source: string) => {
      if (!leadsSomewhere) throw new Error('it leads nowhere');
      connected.add(source);
    },
    close: async (source: string) => {
      connected.delete(source);
    },
    accessTo: async () => access,
  };
  const recorded: string[] = [];
  return {
    ...world,
    connected,
    recorded,
    reconcile: async () =>
      new PeerSecretReconciler({
        client,
        clock: world.clock,
        events: {
          record: ({ reason }) => recorded.push(reason),
          [Symbol.asyncDispose]: async () => undefined,
        },
        secrets: await cacheOf(Secret),
        connections,
        whyMisplaced: () => circumstances.misplaced,
        countHeld: async () => held,
        onConnected: () => undefined,
      }).reconcile(key, run),
    createSecret: (held: string[] = []) =>
      admin.create(Secret, {
        metadata: {
          ...key,
          labels: { [labels.identityType]: 'ControlPlane', [labels.remoteClusterID]: 'milan' },
          annotations: { [annotations.remoteTenantNamespace]: 'liqo-tenant-rome' },
          finalizers: held,
        },
        data: { kubeconfig: btoa('somewhere') },
      }),
    secret: () => admin.get(Secret, key),
  };
}

const ours = [finalizers.replicator];

describe('the Secret of a peer that is reconciled', () => {
  test('is held before it is used', async () => {
    const { createSecret, reconcile, faults, connected } = await startWorld();
    await createSecret();
    faults.plan = faultOn(({ verb }) => verb === 'patch', refusal(500));
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect([...connected]).toEqual([]);
  });

  test('that goes is held and used for as long as there are copies at the peer', async () => {
    const { admin, createSecret, reconcile, secret, connected } = await startWorld({ held: 2 });
    await createSecret(ours);
    await admin.delete(Secret, key);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect((await secret())?.metadata.finalizers).toEqual(ours);
    expect(connected.size).toBe(1);
  });

  test.each([
    ['when there is none', { held: 0 }],
    ['when it leads nowhere', { held: 2, leadsSomewhere: false }],
  ])('that goes is let go %s', async (_, circumstances) => {
    const { admin, createSecret, reconcile, secret, connected } = await startWorld(circumstances);
    await createSecret(ours);
    await admin.delete(Secret, key);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await secret()).toBeUndefined();
    expect([...connected]).toEqual([]);
  });

  test('that goes is released when the peer forbids everything, and says what may be left', async () => {
    const { admin, createSecret, reconcile, secret, connected, recorded } = await startWorld({
      held: 2,
      access: 'forbidden',
    });
    await createSecret(ours);
    await admin.delete(Secret, key);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await secret()).toBeUndefined();
    expect([...connected]).toEqual([]);
    expect(recorded).toEqual(['CopyAbandoned']);
  });

  test('that goes is released 15 minutes after it was deleted when the peer does not know it', async () => {
    const { admin, clock, createSecret, reconcile, secret, recorded } = await startWorld({
      held: 2,
      access: 'unauthorized',
    });
    await createSecret(ours);
    await admin.delete(Secret, key);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    await clock.advance(15 * 60_000 + 1_000);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await secret()).toBeUndefined();
    expect(recorded).toEqual(['CopyAbandoned']);
  });

  test('is not used outside the tenant namespace of its peer', async () => {
    const { createSecret, reconcile, connected, secret } = await startWorld({ misplaced: 'why' });
    await createSecret();
    expect(await rejection(reconcile())).toMatchObject({
      reason: 'NotInTenantNamespace',
      message: 'Not used: why',
    });
    expect([...connected]).toEqual([]);
    expect((await secret())?.metadata.finalizers).toBeUndefined();
  });

  test('that goes outside the tenant namespace of its peer is let go', async () => {
    const { admin, createSecret, reconcile, secret } = await startWorld({
      held: 2,
      misplaced: 'why',
    });
    await createSecret(ours);
    await admin.delete(Secret, key);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await secret()).toBeUndefined();
  });

  test('that leads nowhere is closed and not tried again until it changes', async () => {
    const { createSecret, reconcile, connected } = await startWorld({ leadsSomewhere: false });
    await createSecret(ours);
    const error = await rejection(reconcile());
    expect(error).toBeInstanceOf(TerminalError);
    expect(error).toMatchObject({ reason: 'InvalidKubeconfig', message: 'it leads nowhere' });
    expect([...connected]).toEqual([]);
  });
});
