import { labels, type ResourceSlice, type VirtualNode } from '@liqo/api';
import { judgeOffloadingTo, type PeerFacts, roleOf } from './cluster-info.ts';
import { isReady, judgeModule, type ModuleInfo, type ModuleStatus } from './judge-module.ts';

type Resources = Readonly<Record<string, string | number>>;

/** What `liqoctl info peer` knows of a peer; the keys are those of `-o` and `--get`. */
export interface PeerDetails {
  readonly info: { readonly clusterID: string; readonly role: string };
  readonly network: ModuleInfo;
  readonly authentication: ModuleInfo & {
    readonly APIServerAddr?: string;
    readonly resourceSlices?: readonly SliceInfo[];
  };
  readonly offloading: ModuleInfo & { readonly virtualNodes?: readonly VirtualNodeInfo[] };
}

export interface SliceInfo {
  readonly name: string;
  /** Whether we take, or give. */
  readonly action: 'Consuming' | 'Providing';
  readonly accepted: boolean;
  readonly alerts?: readonly string[];
  readonly resources: Resources;
}

export interface VirtualNodeInfo {
  readonly name: string;
  readonly status: ModuleStatus;
  readonly secret: string;
  readonly resourceSlice?: string;
  readonly resources: Resources;
}

export interface DetailFacts extends PeerFacts {
  readonly slices: readonly ResourceSlice[];
}

export function describePeer(clusterID: string, facts: DetailFacts): PeerDetails {
  const foreignCluster = facts.foreignClusters.find(({ spec }) => spec.clusterID === clusterID);
  const { modules, apiServerUrl } = foreignCluster?.status ?? {};
  const role = roleOf(foreignCluster);
  const slices = facts.slices.flatMap((slice) => describeSlice(clusterID, slice));
  const virtualNodes = facts.virtualNodes
    .filter(({ spec }) => spec.clusterID === clusterID)
    .map((virtualNode) => describeVirtualNode(virtualNode, facts));
  return {
    info: { clusterID, role },
    network: judgeModule(modules?.networking),
    authentication: {
      ...judgeModule(modules?.authentication),
      ...(role === 'Provider' && apiServerUrl && { APIServerAddr: apiServerUrl }),
      ...(slices.length > 0 && { resourceSlices: slices }),
    },
    offloading: {
      ...judgeOffloadingTo(clusterID, facts),
      ...(virtualNodes.length > 0 && { virtualNodes }),
    },
  };
}

/** Nothing if the slice has nothing to do with the peer. */
function describeSlice(clusterID: string, { metadata, spec, status }: ResourceSlice): SliceInfo[] {
  const isCopy = metadata?.labels?.[labels.replicated] === 'true';
  const peer = isCopy ? spec.consumerClusterID : spec.providerClusterID;
  if (peer !== clusterID) return [];
  const conditions = status?.conditions ?? [];
  const denied = conditions.filter((condition) => condition.status !== 'Accepted');
  const alerts = denied.flatMap(({ message }) => message ?? []);
  return [
    {
      name: metadata?.name ?? '',
      action: isCopy ? 'Providing' : 'Consuming',
      accepted: conditions.length > 0 && denied.length === 0,
      ...(alerts.length > 0 && { alerts }),
      resources: status?.resources ?? {},
    },
  ];
}

function describeVirtualNode(virtualNode: VirtualNode, { nodes }: PeerFacts): VirtualNodeInfo {
  const { metadata, spec } = virtualNode;
  const resourceSlice = metadata?.labels?.[labels.resourceSliceName];
  const isWell = spec.createNode === false || isReady(virtualNode, nodes);
  return {
    name: metadata?.name ?? '',
    status: isWell ? 'Healthy' : 'Unhealthy',
    secret: spec.kubeconfigSecretRef?.name ?? '',
    ...(resourceSlice && { resourceSlice }),
    resources: spec.resourceQuota?.hard ?? {},
  };
}
