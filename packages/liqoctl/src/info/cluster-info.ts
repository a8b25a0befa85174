import type { ForeignCluster, VirtualNode } from '@liqo/api';
import { isConditionTrue, type Node, type Pod } from '@liqo/kube';
import {
  judgeModule,
  judgeVirtualNodes,
  type ModuleInfo,
  type ModuleStatus,
} from './judge-module.ts';

/** What `liqoctl info` knows; the keys are those of `-o` and `--get`. */
export interface ClusterInfo {
  readonly local: LocalInfo;
  readonly health: HealthInfo;
  readonly peerings: { readonly peers: readonly PeerInfo[] };
}

export interface LocalInfo {
  readonly clusterID: string;
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly APIServerAddr: string;
}

export interface HealthInfo {
  readonly healthy: boolean;
  readonly unhealthyPods?: Readonly<Record<string, UnhealthyPod>>;
}

interface UnhealthyPod {
  readonly status: string;
  readonly readyContainers: number;
  readonly totalContainers: number;
  readonly restarts: number;
}

export interface PeerInfo {
  readonly clusterID: string;
  readonly role: string;
  readonly networkingStatus: ModuleStatus;
  readonly authenticationStatus: ModuleStatus;
  readonly offloadingStatus: ModuleStatus;
}

/** Liqo is healthy when every pod of its namespace is Ready, or has done what it was for. */
export function judgeHealth(pods: readonly Pod[]): HealthInfo {
  const unhealthy = pods.filter(
    ({ status }) => status?.phase !== 'Succeeded' && !isConditionTrue(status?.conditions, 'Ready'),
  );
  if (unhealthy.length === 0 && pods.length > 0) return { healthy: true };
  const entries = unhealthy.map((pod) => [pod.metadata?.name ?? '', describePod(pod)] as const);
  return { healthy: false, unhealthyPods: Object.fromEntries(entries) };
}

function describePod({ spec, status }: Pod): UnhealthyPod {
  const containers = status?.containerStatuses ?? [];
  const waiting = containers.find(({ state }) => state?.waiting?.reason)?.state?.waiting?.reason;
  return {
    status: waiting ?? status?.phase ?? 'Unknown',
    readyContainers: containers.filter(({ ready }) => ready).length,
    totalContainers: spec?.containers.length ?? 0,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
  };
}

/** What there is to know about peers. */
export interface PeerFacts {
  readonly foreignClusters: readonly ForeignCluster[];
  readonly virtualNodes: readonly VirtualNode[];
  readonly nodes: readonly Node[];
}

/** The IDs of all peers: those that have a ForeignCluster, and providers that are known by their virtual nodes alone. */
export function peerIDs({ foreignClusters, virtualNodes }: PeerFacts): readonly string[] {
  const known = foreignClusters.map(({ spec }) => spec.clusterID);
  const byHand = virtualNodes.flatMap(({ spec }) => spec.clusterID ?? []);
  return [...new Set([...known, ...byHand])].toSorted();
}

export function judgePeers(facts: PeerFacts): readonly PeerInfo[] {
  return peerIDs(facts).map((clusterID) => judgePeer(clusterID, facts));
}

function judgePeer(clusterID: string, facts: PeerFacts): PeerInfo {
  const foreignCluster = facts.foreignClusters.find(({ spec }) => spec.clusterID === clusterID);
  const { networking, authentication } = foreignCluster?.status?.modules ?? {};
  return {
    clusterID,
    role: roleOf(foreignCluster),
    networkingStatus: judgeModule(networking).status,
    authenticationStatus: judgeModule(authentication).status,
    offloadingStatus: judgeOffloadingTo(clusterID, facts).status,
  };
}

/** Whoever has virtual nodes here and no ForeignCluster is a provider. */
export function roleOf(foreignCluster: ForeignCluster | undefined): string {
  return foreignCluster ? (foreignCluster.status?.role ?? 'Unknown') : 'Provider';
}

export function judgeOffloadingTo(clusterID: string, facts: PeerFacts): ModuleInfo {
  const foreignCluster = facts.foreignClusters.find(({ spec }) => spec.clusterID === clusterID);
  if (foreignCluster) return judgeModule(foreignCluster.status?.modules?.offloading);
  const own = facts.virtualNodes.filter(({ spec }) => spec.clusterID === clusterID);
  return judgeVirtualNodes(own, facts.nodes);
}
