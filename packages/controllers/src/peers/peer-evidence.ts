import {
  Configuration,
  Connection,
  GatewayClient,
  GatewayServer,
  Identity,
  labels,
  NamespaceMap,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import { type Kind, type KubeObject, Namespace, Node, Secret, type Selection } from '@liqo/kube';
import {
  type FindNamespace,
  type ForeignClusterFacts,
  peerByLabel,
  peerByNamespace,
  peerOfIdentity,
  peerOfTenant,
  peerOfTenantNamespace,
  peerOfVirtualNode,
} from '@liqo/model';
import { isPeerSecret } from '../replication/peer-kubeconfig.ts';
import { forPeers, ofPeers, virtualNodesOnly } from '../selections.ts';

/** The facts that are lists of objects. */
export type EvidenceFacts = Omit<
  ForeignClusterFacts,
  'apiServer' | 'clusterID' | 'endpoint' | 'foreignCluster'
>;

/** A kind whose objects are about peers. */
export interface Evidence<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly selection?: Selection;
  /** Read in tenant namespaces only, where it counts: the controllers have no right elsewhere. */
  readonly isOfTenantNamespaces?: true;
  /** Undefined for an object that is about no peer. */
  readonly peerOf: (object: T, find: FindNamespace) => string | undefined;
}

type EvidenceTable = {
  readonly [Fact in keyof EvidenceFacts]: Evidence<
    EvidenceFacts[Fact][number] extends infer T extends KubeObject ? T : never
  >;
};

/** Which objects of this cluster say what of a peer. Selections are those of other controllers where there are any. */
const table: EvidenceTable = {
  tenants: { kind: Tenant, peerOf: peerOfTenant },
  identities: { kind: Identity, peerOf: peerOfIdentity },
  controlPlaneSecrets: {
    kind: Secret,
    isOfTenantNamespaces: true,
    peerOf: (secret, find) => (isPeerSecret(secret) ? peerByLabel(secret, find) : undefined),
  },
  resourceSlices: { kind: ResourceSlice, peerOf: peerByNamespace },
  virtualNodes: { kind: VirtualNode, peerOf: peerOfVirtualNode },
  nodes: { kind: Node, selection: virtualNodesOnly, peerOf: peerByLabel },
  namespaceMaps: { kind: NamespaceMap, selection: forPeers, peerOf: destinationOf },
  tenantNamespaces: { kind: Namespace, selection: ofPeers, peerOf: peerOfTenantNamespace },
  configurations: { kind: Configuration, peerOf: peerByNamespace },
  connections: { kind: Connection, peerOf: peerByNamespace },
  gatewayServers: { kind: GatewayServer, peerOf: peerByNamespace },
  gatewayClients: { kind: GatewayClient, peerOf: peerByNamespace },
};

export type FactName = keyof EvidenceFacts;

/** The same, of any kind. */
export const peerEvidence = Object.entries(table) as unknown as readonly (readonly [
  FactName,
  Evidence,
])[];

function destinationOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[labels.replicationDestination];
}
