import { type Advertisement, labels, type ResourceSlice, type VirtualNode } from '@liqo/api';
import { isCopy, peerOf } from '../cluster/find-resource-slice.ts';
import { type SliceUse, virtualNodesOf } from '../cluster/read-slice-use.ts';
import type { CertificateInfo } from './certificate-expiry.ts';
import { describeOffer, type OfferInfo } from './describe-offer.ts';
import { enabledModule, type ModuleInfo, type ModuleStatus } from './judge-module.ts';
import { judgePeer, whyUnhealthy } from './judge-peer.ts';
import { type FactsOfPeer, factsOfPeer, type PeerFacts } from './peer-facts.ts';

type Resources = Readonly<Record<string, string | number>>;

/** What `liqoctl info peer` knows of a peer; the keys are those of `-o` and `--get`. */
export interface PeerDetails {
  readonly info: { readonly clusterID: string; readonly role: string };
  readonly network: ModuleInfo;
  readonly authentication: ModuleInfo & {
    readonly APIServerAddr?: string;
    readonly certificates?: readonly CertificateInfo[];
    readonly resourceSlices?: readonly SliceInfo[];
  };
  readonly offers?: readonly OfferInfo[];
  readonly offloading: ModuleInfo & { readonly virtualNodes?: readonly VirtualNodeInfo[] };
}

export interface SliceInfo {
  readonly name: string;
  /** Whether we take, or give. */
  readonly action: 'Consuming' | 'Providing';
  readonly accepted: boolean;
  readonly alerts?: readonly string[];
  /** What the consumer asks for. */
  readonly asked: Resources;
  /** What is granted. */
  readonly resources: Resources;
  /** What the pods of the slice request together; absent where it cannot be known. */
  readonly used?: Resources;
  /** Those of this cluster. */
  readonly virtualNodes?: readonly string[];
}

export interface VirtualNodeInfo {
  readonly name: string;
  readonly status: ModuleStatus;
  readonly alerts?: readonly string[];
  readonly secret: string;
  readonly resourceSlice?: string;
  readonly resources: Resources;
}

export interface DetailFacts extends PeerFacts {
  readonly slices: readonly ResourceSlice[];
  readonly offers: readonly Advertisement[];
  readonly use: SliceUse;
}

export function describePeer(clusterID: string, facts: DetailFacts): PeerDetails {
  const own = factsOfPeer(clusterID, facts);
  const { role, network, authentication, offloading } = judgePeer(own);
  const apiServerUrl = own.foreignCluster?.status?.apiServerUrl;
  const slices = facts.slices.flatMap((slice) => describeSlice(clusterID, slice, facts));
  const offers = facts.offers.flatMap((offer) => describeOffer(clusterID, offer));
  const virtualNodes = own.virtualNodes.map((one) => describeVirtualNode(one, own, facts.slices));
  return {
    info: { clusterID, role },
    network,
    authentication: {
      ...authentication,
      ...(role === 'Provider' && apiServerUrl && { APIServerAddr: apiServerUrl }),
      ...(own.certificates.length > 0 && { certificates: own.certificates }),
      ...(slices.length > 0 && { resourceSlices: slices }),
    },
    ...(offers.length > 0 && { offers }),
    offloading: {
      ...offloading,
      ...(virtualNodes.length > 0 && { virtualNodes }),
    },
  };
}

/** Nothing if the slice has nothing to do with the peer. */
function describeSlice(
  clusterID: string,
  slice: ResourceSlice,
  { use, virtualNodes }: DetailFacts,
): SliceInfo[] {
  const { metadata, spec, status } = slice;
  if (peerOf(slice) !== clusterID) return [];
  const conditions = status?.conditions ?? [];
  const denied = conditions.filter((condition) => condition.status !== 'Accepted');
  const alerts = denied.flatMap(({ message }) => message ?? []);
  const used = use(slice);
  const nodes = isCopy(slice) ? [] : virtualNodesOf(slice, virtualNodes);
  return [
    {
      name: metadata?.name ?? '',
      action: isCopy(slice) ? 'Providing' : 'Consuming',
      accepted: conditions.length > 0 && denied.length === 0,
      ...(alerts.length > 0 && { alerts }),
      asked: spec.resources ?? {},
      resources: status?.resources ?? {},
      ...(used && { used }),
      ...(nodes.length > 0 && { virtualNodes: nodes.map((one) => one.metadata?.name ?? '') }),
    },
  ];
}

function describeVirtualNode(
  virtualNode: VirtualNode,
  { nodes }: FactsOfPeer,
  slices: readonly ResourceSlice[],
): VirtualNodeInfo {
  const { metadata, spec } = virtualNode;
  const slice = slices.find((one) => !isCopy(one) && virtualNodesOf(one, [virtualNode]).length > 0);
  const resourceSlice = slice?.metadata?.name ?? metadata?.labels?.[labels.resourceSliceName];
  const problem = whyUnhealthy(virtualNode, nodes);
  return {
    name: metadata?.name ?? '',
    ...enabledModule(problem === undefined ? [] : [problem]),
    secret: spec.kubeconfigSecretRef?.name ?? '',
    ...(resourceSlice && { resourceSlice }),
    resources: spec.resourceQuota?.hard ?? {},
  };
}
