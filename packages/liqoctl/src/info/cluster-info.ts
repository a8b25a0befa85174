import { isConditionTrue, type Pod } from '@liqo/kube';
import { firstToExpire } from './certificate-expiry.ts';
import type { ModuleInfo, ModuleStatus } from './judge-module.ts';
import { judgePeer } from './judge-peer.ts';
import { factsOfPeer, type PeerFacts, peerIDs } from './peer-facts.ts';

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
  /** When the first certificate of this cluster at the peer expires. */
  readonly certificateExpires?: string;
  /** The reasons of every status that is Unhealthy. */
  readonly alerts?: readonly string[];
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

export function judgePeers(facts: PeerFacts): readonly PeerInfo[] {
  return peerIDs(facts).map((clusterID) => describePeer(clusterID, facts));
}

function describePeer(clusterID: string, facts: PeerFacts): PeerInfo {
  const own = factsOfPeer(clusterID, facts);
  const { role, network, authentication, offloading } = judgePeer(own);
  const certificateExpires = firstToExpire(own.certificates);
  const alerts = [
    ...alertsOf('Network', network),
    ...alertsOf('Authentication', authentication),
    ...alertsOf('Offloading', offloading),
  ];
  return {
    clusterID,
    role,
    networkingStatus: network.status,
    authenticationStatus: authentication.status,
    offloadingStatus: offloading.status,
    ...(certificateExpires && { certificateExpires }),
    ...(alerts.length > 0 && { alerts }),
  };
}

function alertsOf(module: string, { alerts = [] }: ModuleInfo): readonly string[] {
  return alerts.map((alert) => `${module}: ${alert}`);
}
