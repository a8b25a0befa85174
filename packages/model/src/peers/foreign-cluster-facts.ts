import type {
  Configuration,
  Connection,
  ForeignCluster,
  GatewayClient,
  GatewayServer,
  Identity,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import type { KubeObject, Namespace, NewCondition, Node, Stored } from '@liqo/kube';

/**
 * What the probe of a peer's API server found. `unknown`: the probe has no result yet. `disconnected`: there are credentials,
 * but no connection could be made of them. `failing`: the server answers that it is not alive. `unauthorized`: the server does
 * not accept the identity.
 */
export type ApiServerState =
  | 'disconnected'
  | 'failing'
  | 'ready'
  | 'silent'
  | 'unauthorized'
  | 'unknown';

/** Where the credentials of the control plane lead to, as their kubeconfig says. */
export interface PeerEndpoint {
  readonly server?: string;
  readonly proxyUrl?: string;
  /** When the client certificate expires, in milliseconds since the epoch. */
  readonly expiresMs?: number;
}

/** Everything in this cluster that is about one peer. */
export interface ForeignClusterFacts {
  readonly clusterID: string;
  readonly foreignCluster: Stored<ForeignCluster> | undefined;
  readonly tenants: readonly Tenant[];
  readonly identities: readonly Identity[];
  /** Secrets with the kubeconfig of this cluster's control plane at the peer. */
  readonly controlPlaneSecrets: readonly KubeObject[];
  readonly resourceSlices: readonly ResourceSlice[];
  readonly virtualNodes: readonly VirtualNode[];
  /** Nodes that stand for the peer. */
  readonly nodes: readonly Node[];
  /** Those that this cluster sends to the peer. */
  readonly namespaceMaps: readonly KubeObject[];
  readonly tenantNamespaces: readonly Namespace[];
  readonly configurations: readonly Configuration[];
  readonly connections: readonly Connection[];
  readonly gatewayServers: readonly GatewayServer[];
  readonly gatewayClients: readonly GatewayClient[];
  /** Undefined while there is no connection. */
  readonly endpoint: PeerEndpoint | undefined;
  readonly apiServer: ApiServerState;
}

export type ForeignClusterStatus = NonNullable<ForeignCluster['status']>;
export type PeerModules = NonNullable<ForeignClusterStatus['modules']>;
export type PeerCondition = NonNullable<ForeignClusterStatus['conditions']>[number];
export type NewPeerCondition = NewCondition<PeerCondition>;
