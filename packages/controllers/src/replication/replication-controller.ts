import { ForeignCluster } from '@liqo/api';
import {
  keyOf,
  Namespace,
  type ObjectKey,
  type RoleBinding,
  type Secret,
  type Stored,
} from '@liqo/kube';
import { findTenantNamespace, isGoneForGood, type ReplicatedObject } from '@liqo/model';
import {
  external,
  type Informer,
  inOrder,
  mapped,
  primary,
  type Stoppable,
  together,
} from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { PeerLinks } from '../peers/peer-links.ts';
import { forPeers, tenantNamespaces } from '../selections.ts';
import { tenancyOf, type WhyMisplaced } from '../tenancy.ts';
import { borrowTenantSecrets, type TenantSecrets } from '../tenant-access/tenant-secrets.ts';
import { HeldCopies } from './held-copies.ts';
import { PeerConnections } from './peer-connections.ts';
import { isPeerSecret, peerOf } from './peer-kubeconfig.ts';
import { destinationOf, OriginalReconciler } from './reconcile-original.ts';
import { PeerSecretReconciler } from './reconcile-peer-secret.ts';
import { type ReplicatedKind, replicatedKinds } from './replicated-kind.ts';

/** Copies what consumers tell their providers, and brings the answers back. Its connections are listed in `links`. */
export function startReplicationController(
  context: ControllerContext,
  links = new PeerLinks(),
): Stoppable {
  const loops = new Map<ReplicatedKind, OriginalsLoop>();
  const onCopyChanged = (kind: ReplicatedKind, original: ObjectKey) =>
    loops.get(kind)?.lookAt(original);
  const connections = new PeerConnections(context, replicatedKinds, onCopyChanged, links);
  const peers = startPeers(context);
  for (const kind of replicatedKinds) {
    loops.set(kind, startOriginalsLoop(context, kind, { connections, peers }));
  }
  const secrets = startSecretsLoop(context, { connections, peers }, [...loops.values()]);
  const reconciling = together([secrets, ...[...loops.values()].map(({ loop }) => loop)]);
  return inOrder([reconciling, connections, peers]);
}

/** Whom there is to talk to, as far as objects of this cluster say. */
interface Peers extends AsyncDisposable {
  /** Of the tenant namespaces only: no other namespace is read. */
  readonly secrets: TenantSecrets;
  readonly bindings: Informer<RoleBinding>;
  readonly namespaces: Informer<Namespace>;
  readonly clusters: Informer<ForeignCluster>;
  readonly isGoneForGood: (clusterID: string) => boolean;
  readonly whyMisplaced: WhyMisplaced;
  /** Whether there is a Secret that leads to the peer; also while its tenant namespace is still to be read. */
  readonly hasCredentials: (clusterID: string) => boolean;
}

interface Relations {
  readonly connections: PeerConnections;
  readonly peers: Peers;
}

function startPeers(context: ControllerContext): Peers {
  const { caches } = context;
  const foreign = caches.borrow(ForeignCluster);
  const tenants = caches.borrow(Namespace, tenantNamespaces);
  const borrowed = borrowTenantSecrets(context);
  const [clusters, namespaces] = [foreign.informer, tenants.informer];
  const { secrets, bindings } = borrowed;
  return {
    secrets,
    bindings,
    namespaces,
    clusters,
    isGoneForGood: (clusterID) => isGoneForGood(clusters.get({ name: clusterID })),
    whyMisplaced: tenancyOf(namespaces),
    hasCredentials(clusterID) {
      const tenant = findTenantNamespace(clusterID, namespaces.list());
      if (tenant === undefined) return false;
      const isOfPeer = (secret: Secret) => isPeerSecret(secret) && peerOf(secret) === clusterID;
      return !secrets.isComplete(tenant) || secrets.list(tenant).some(isOfPeer);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([foreign, tenants, borrowed].map((cache) => cache[Symbol.asyncDispose]()));
    },
  };
}

/** The originals of one kind, of all peers. */
interface OriginalsLoop {
  readonly loop: Stoppable;
  readonly lookAt: (original: ObjectKey) => void;
  /** Those that go to one peer. */
  readonly to: (clusterID: string) => readonly Stored<ReplicatedObject>[];
  /** How many of them hold on to their copies. */
  readonly countHeld: (clusterID: string, signal: AbortSignal) => Promise<number>;
}

function startOriginalsLoop(
  context: ControllerContext,
  kind: ReplicatedKind,
  { connections, peers }: Relations,
): OriginalsLoop {
  const { client, clock, clusterID, events } = context;
  const loop = new ControlLoop(context);
  const originals = loop.watch<ReplicatedObject>(kind, forPeers);
  const nudges = external();
  const reconciler = new OriginalReconciler({
    client,
    clock,
    clusterID,
    events,
    kind,
    originals,
    connections,
    hasCredentials: peers.hasCredentials,
    isGoneForGood: peers.isGoneForGood,
  });
  const to = (peer: string) =>
    originals.list().filter((original) => destinationOf(original) === peer);
  const heldCopies = new HeldCopies({ client, kind, originals });
  loop.run({
    name: `replication-${kind.plural}`,
    concurrency: 8,
    // A peer that answers slowly leaves workers for the others.
    concurrencyPerFlow: 4,
    flowOf: ({ namespace = '' }) => namespace,
    sources: [
      primary(originals),
      mapped(peers.clusters, ({ metadata }) => to(metadata.name).map(keyOf)),
      mapped(peers.secrets, (secret) =>
        isPeerSecret(secret) ? to(peerOf(secret)).map(keyOf) : [],
      ),
      nudges,
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
  return {
    loop,
    lookAt: (original) => nudges.enqueue(original),
    to,
    countHeld: (peer, signal) => heldCopies.count(peer, signal),
  };
}

function startSecretsLoop(
  context: ControllerContext,
  { connections, peers }: Relations,
  loops: readonly OriginalsLoop[],
): Stoppable {
  const { client, clock, events } = context;
  const loop = new ControlLoop(context);
  const { secrets, namespaces, clusters, isGoneForGood: isGone } = peers;
  const rivalsOf = (secret: Secret) =>
    isPeerSecret(secret) ? secrets.byIndex('peer', peerOf(secret)) : [];
  const reconciler = new PeerSecretReconciler({
    client,
    clock,
    events,
    secrets,
    connections,
    whyMisplaced: peers.whyMisplaced,
    async countHeld(clusterID, signal) {
      if (isGone(clusterID)) return 0;
      const counts = await Promise.all(loops.map((kind) => kind.countHeld(clusterID, signal)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    onConnected: (clusterID) => {
      for (const { to, lookAt } of loops) {
        for (const original of to(clusterID)) lookAt(keyOf(original));
      }
    },
  });
  return loop.run({
    name: 'replication-peers',
    caches: [peers.bindings],
    sources: [
      // One that was not used because of another one may be needed when that goes.
      mapped(secrets, (secret) => rivalsOf(secret).map(keyOf)),
      mapped(clusters, ({ metadata }) => secrets.byIndex('peer', metadata.name).map(keyOf)),
      // Which namespace is that of a peer depends on all of them.
      mapped(namespaces, () => secrets.list().filter(isPeerSecret).map(keyOf)),
      primary(secrets),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
    onTerminalError: (key, error) => reconciler.reportTerminal(key, error),
  });
}
