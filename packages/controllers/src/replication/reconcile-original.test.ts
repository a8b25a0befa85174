import { finalizers, labels, NamespaceMap, ResourceSlice } from '@liqo/api';
import { type Client, mergePatch, Namespace } from '@liqo/kube';
import type { ReplicatedObject } from '@liqo/model';
import type { Informer, RecordedEvent } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { type ApiCall, faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import type { PeerConnection, PeerConnections } from './peer-connections.ts';
import { OriginalReconciler } from './reconcile-original.ts';
import type { ReplicatedKind } from './replicated-kind.ts';

const key = { namespace: 'liqo-tenant-milan', name: 'milan' };
/** At the peer, which is the same cluster here. */
const copyKey = { namespace: 'liqo-tenant-rome', name: 'milan' };
const copyMarks = { [labels.replicationOrigin]: 'rome', [labels.replicated]: 'true' };

interface Peer {
  readonly isConnected?: boolean;
  readonly hasCredentials?: boolean;
}

async function startWorld() {
  const world = await startQuietWorld([key.namespace], [NamespaceMap]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, run, cacheOf, faults } = world;
  await admin.create(Namespace, { metadata: { name: copyKey.namespace } });
  const recorded: string[] = [];
  const said: string[] = [];
  const events = {
    record: ({ reason, note }: RecordedEvent) => {
      recorded.push(reason);
      said.push(note);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const look = () => cacheOf(NamespaceMap) as Promise<Informer<ReplicatedObject>>;
  return {
    ...world,
    recorded,
    notes: () => said,
    look,
    reconcile: async ({ isConnected = true, hasCredentials = true }: Peer = {}, cache = look()) =>
      new OriginalReconciler({
        client,
        clock: world.clock,
        clusterID: 'rome',
        events,
        kind: NamespaceMap as ReplicatedKind,
        originals: await cache,
        connections: connectionsTo(client, isConnected),
        hasCredentials: () => hasCredentials,
        isGoneForGood: () => false,
      }).reconcile(key, run),
    createOriginal: (held: string[] = []) => {
      const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' };
      const metadata = { ...key, labels: marks, finalizers: held };
      return admin.create(NamespaceMap, { metadata, spec: { desiredMapping: { shop: 'x' } } });
    },
    createCopy: (marks: Record<string, string> = copyMarks, held: string[] = []) =>
      admin.create(NamespaceMap, {
        metadata: { ...copyKey, labels: marks, finalizers: held },
        spec: {},
      }),
    original: () => admin.get(NamespaceMap, key),
    copy: () => admin.get(NamespaceMap, copyKey),
    refuse: (verb: string, code: number) => {
      faults.plan = faultOn((call) => call.verb === verb, refusal(code));
    },
    refuseAtPeer: (verb: string, code: number) => {
      const isThere = (call: ApiCall) => call.path.includes(copyKey.namespace);
      faults.plan = faultOn((call) => call.verb === verb && isThere(call), refusal(code));
    },
    deletions: () => faults.calls.filter(({ verb }) => verb === 'delete').length,
  };
}

function connectionsTo(client: Client, isConnected: boolean) {
  const peer = {
    clusterID: 'milan',
    kubeconfig: '',
    localNamespace: key.namespace,
    remoteNamespace: copyKey.namespace,
    fingerprint: '',
  };
  const connection: PeerConnection = { peer, client };
  const open: Pick<PeerConnections, 'of' | 'inTenantNamespace'> = {
    of: () => (isConnected ? connection : undefined),
    inTenantNamespace: () => (isConnected ? [connection] : []),
  };
  return open;
}

const held = [finalizers.replicatedResource];

describe('an original that is reconciled', () => {
  test('is held before it is copied', async () => {
    const { createOriginal, reconcile, refuse, copy } = await startWorld();
    await createOriginal();
    refuse('patch', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect(await copy()).toBeUndefined();
  });

  test('is tried again when the peer fails, and says so only when it refuses', async () => {
    const { createOriginal, reconcile, refuse, recorded } = await startWorld();
    await createOriginal(held);
    refuse('create', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect(recorded).toEqual([]);
    refuse('create', 403);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect(recorded).toEqual(['Forbidden']);
  });

  test('that goes is held until its copy is gone, which is asked to go once', async () => {
    const { admin, createOriginal, createCopy, reconcile, original, deletions } =
      await startWorld();
    await createOriginal(held);
    await createCopy(copyMarks, ['test/held']);
    await admin.delete(NamespaceMap, key);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect(deletions()).toBe(1);
    expect((await original())?.metadata.finalizers).toEqual(held);
    await admin.patch(NamespaceMap, copyKey, mergePatch({ metadata: { finalizers: [] } }));
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await original()).toBeUndefined();
  });

  test('that goes is held while its copy cannot be deleted', async () => {
    const { admin, createOriginal, createCopy, reconcile, refuse, original } = await startWorld();
    await createOriginal(held);
    await createCopy();
    await admin.delete(NamespaceMap, key);
    refuse('delete', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect((await original())?.metadata.finalizers).toEqual(held);
  });

  test.each(['get', 'delete'])(
    'that goes is released when the peer forbids to %s its copy, and says what may be left',
    async (verb) => {
      const { admin, createOriginal, createCopy, reconcile, refuseAtPeer, original, notes } =
        await startWorld();
      await createOriginal(held);
      await createCopy();
      await admin.delete(NamespaceMap, key);
      refuseAtPeer(verb, 403);
      expect(await reconcile()).toEqual({ type: 'done' });
      expect(await original()).toBeUndefined();
      expect(notes()).toEqual([
        'Released without its copy: "milan" refuses our credentials (refused with 403). "liqo-tenant-rome/milan" and what was made there for it may still exist',
      ]);
    },
  );

  test('that goes is held when this cluster forbids to release it, which says nothing of the peer', async () => {
    const { admin, createOriginal, reconcile, refuse, original, recorded } = await startWorld();
    await createOriginal(held);
    await admin.delete(NamespaceMap, key);
    refuse('patch', 403);
    expect(await rejection(reconcile())).toMatchObject({ code: 403 });
    expect((await original())?.metadata.finalizers).toEqual(held);
    expect(recorded).toEqual([]);
  });

  test('that goes is held for 15 minutes while the peer does not know our credentials, and then released', async () => {
    const {
      admin,
      clock,
      createOriginal,
      createCopy,
      reconcile,
      refuseAtPeer,
      original,
      recorded,
    } = await startWorld();
    await createOriginal(held);
    await createCopy();
    await admin.delete(NamespaceMap, key);
    refuseAtPeer('get', 401);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    await clock.advance(14 * 60_000);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect((await original())?.metadata.finalizers).toEqual(held);
    expect(recorded).toEqual(['Unauthorized', 'Unauthorized']);
    await clock.advance(61_000);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await original()).toBeUndefined();
    expect(recorded.at(-1)).toBe('CopyAbandoned');
  });

  test('that is gone leaves its copy to a peer that forbids to remove it', async () => {
    const { createCopy, reconcile, refuseAtPeer, copy } = await startWorld();
    await createCopy();
    refuseAtPeer('delete', 403);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await copy()).toBeDefined();
  });

  test('that goes does not mind that somebody has deleted its copy already', async () => {
    const { admin, createOriginal, createCopy, reconcile, faults, original } = await startWorld();
    await createOriginal(held);
    await createCopy();
    await admin.delete(NamespaceMap, key);
    const before = () => admin.delete(NamespaceMap, copyKey);
    faults.plan = faultOn(({ verb }) => verb === 'delete', { before });
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await original()).toBeUndefined();
  });

  test('that goes is held while the connection to a peer is still to be made', async () => {
    const { admin, createOriginal, reconcile, original } = await startWorld();
    await createOriginal(held);
    await admin.delete(NamespaceMap, key);
    expect(await reconcile({ isConnected: false })).toMatchObject({ type: 'requeueAfter' });
    expect((await original())?.metadata.finalizers).toEqual(held);
    await reconcile({ isConnected: false, hasCredentials: false });
    expect(await original()).toBeUndefined();
  });

  test.each([
    ['of somebody else', {}],
    ['from another consumer', { ...copyMarks, [labels.replicationOrigin]: 'paris' }],
  ])('leaves an object %s at the peer alone, before and after its end', async (_, marks) => {
    const { admin, createOriginal, createCopy, reconcile, copy, original } = await startWorld();
    await createOriginal(held);
    const { metadata } = await createCopy(marks);
    await reconcile();
    await admin.delete(NamespaceMap, key);
    await reconcile();
    expect(await original()).toBeUndefined();
    await reconcile();
    expect((await copy())?.metadata).toEqual(metadata);
  });

  test('that is gone takes its copy along, and the server alone says that it is gone', async () => {
    const { admin, createOriginal, createCopy, reconcile, look, copy } = await startWorld();
    await createCopy();
    const behind = look();
    await behind;
    await createOriginal();
    await reconcile({}, behind);
    expect(await copy()).toBeDefined();
    await admin.delete(NamespaceMap, key);
    await reconcile();
    expect(await copy()).toBeUndefined();
  });
});

test('a slice to which its provider gives no access any more is not shown as granted', async () => {
  await using world = await startQuietWorld([key.namespace], [ResourceSlice]);
  const { admin, client, clock, run, cacheOf, faults } = world;
  const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' };
  const conditions = [
    { type: 'Resources', status: 'Accepted', lastTransitionTime: '2030-01-01T00:00:00Z' } as const,
  ];
  await admin.create(ResourceSlice, {
    metadata: { ...key, labels: marks, finalizers: held },
    spec: {},
  });
  const status = mergePatch({ status: { resources: { cpu: '2' }, conditions } });
  await admin.patch(ResourceSlice, key, status, { subresource: 'status' });
  faults.plan = faultOn(({ path }) => path.includes(copyKey.namespace), refusal(403));
  const reconciler = new OriginalReconciler({
    client,
    clock,
    clusterID: 'rome',
    events: { record: () => undefined, [Symbol.asyncDispose]: async () => undefined },
    kind: ResourceSlice as ReplicatedKind,
    originals: (await cacheOf(ResourceSlice)) as Informer<ReplicatedObject>,
    connections: connectionsTo(client, true),
    hasCredentials: () => true,
    isGoneForGood: () => false,
  });
  expect(await reconciler.reconcile(key, run)).toMatchObject({ type: 'requeueAfter' });
  expect((await admin.get(ResourceSlice, key))?.status?.conditions).toEqual([
    expect.objectContaining({ status: 'Denied', reason: 'AccessWithdrawn' }),
  ]);
});
