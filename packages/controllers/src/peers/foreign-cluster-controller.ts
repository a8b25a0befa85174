import { ForeignCluster } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import {
  type CachedReader,
  external,
  type Informer,
  inOrder,
  mapped,
  primary,
  type Stoppable,
} from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ApiServerProbes } from './api-server-probes.ts';
import { type FactName, peerEvidence } from './peer-evidence.ts';
import type { PeerLinks } from './peer-links.ts';
import { ForeignClusterReconciler } from './reconcile-foreign-cluster.ts';

type ObservedReader = Pick<Informer<KubeObject>, 'hasSynced' | 'kind' | 'subscribe' | 'synced'> &
  CachedReader<KubeObject>;

/** Says of every peer what this cluster has with it: one ForeignCluster for as long as there is anything. */
export function startForeignClusterController(
  context: ControllerContext,
  links: PeerLinks,
): Stoppable {
  const { client, clock, random, metrics } = context;
  const loop = new ControlLoop(context);
  const foreignClusters = loop.watch(ForeignCluster);
  const { secrets } = loop.watchTenantSecrets();
  const caches = new Map<FactName, ObservedReader>();
  for (const [fact, { kind, selection, isOfTenantNamespaces }] of peerEvidence) {
    caches.set(fact, isOfTenantNamespaces ? secrets : loop.watch(kind, selection));
  }
  const nudges = external();
  const probes = new ApiServerProbes({
    links,
    clock,
    random,
    metrics,
    onChange: (clusterID) => nudges.enqueue({ name: clusterID }),
  });
  const find = (name: string) => caches.get('tenantNamespaces')?.get({ name });
  const sources = peerEvidence.flatMap(([fact, { peerOf }]) => {
    const cache = caches.get(fact);
    const keysOf = (object: KubeObject) => {
      const peer = peerOf(object, find);
      return peer === undefined ? [] : [{ name: peer }];
    };
    return cache ? [mapped(cache, keysOf)] : [];
  });
  const reconciler = new ForeignClusterReconciler({
    client,
    clock,
    foreignClusters,
    caches,
    secrets,
    links,
    probes,
  });
  loop.run({
    name: 'foreigncluster',
    sources: [primary(foreignClusters), ...sources, nudges],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
  return inOrder([loop, probes]);
}
