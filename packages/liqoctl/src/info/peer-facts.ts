import {
  type ForeignCluster,
  type Identity,
  labels,
  type NamespaceMap,
  type VirtualNode,
} from '@liqo/api';
import type { KubeObject, Node } from '@liqo/kube';
import { type CertificateInfo, describeCertificate } from './certificate-expiry.ts';

/** Everything in a cluster that is evidence of a peer. */
export interface PeerFacts {
  readonly foreignClusters: readonly ForeignCluster[];
  readonly virtualNodes: readonly VirtualNode[];
  /** Virtual nodes only. */
  readonly nodes: readonly Node[];
  readonly tenantNamespaces: readonly KubeObject[];
  /** Copies of the NamespaceMaps of consumers. */
  readonly copiedNamespaceMaps: readonly NamespaceMap[];
  /** The consumers that have ShadowPods here. */
  readonly shadowPodOrigins: readonly string[];
  /** Secrets with the credentials of our control plane at a provider. */
  readonly identitySecrets: readonly KubeObject[];
  /** Of this cluster at its providers. */
  readonly identities: readonly Identity[];
}

/** The part of the facts that is about one peer. */
export interface FactsOfPeer {
  readonly foreignCluster: ForeignCluster | undefined;
  readonly virtualNodes: readonly VirtualNode[];
  readonly nodes: readonly Node[];
  readonly namespaceMaps: readonly NamespaceMap[];
  readonly hasShadowPods: boolean;
  readonly hasIdentity: boolean;
  readonly certificates: readonly CertificateInfo[];
}

/** The IDs of all peers that something in the cluster names. */
export function peerIDs(facts: PeerFacts): readonly string[] {
  const named = [
    ...facts.foreignClusters.map(({ spec }) => spec.clusterID),
    ...facts.virtualNodes.map(({ spec }) => spec.clusterID),
    ...facts.tenantNamespaces.map(remoteID),
    ...facts.identitySecrets.map(remoteID),
    ...facts.copiedNamespaceMaps.map(originID),
    ...facts.shadowPodOrigins,
  ];
  return [...new Set(named.filter((id) => id !== undefined && id !== ''))].toSorted() as string[];
}

export function factsOfPeer(clusterID: string, facts: PeerFacts): FactsOfPeer {
  return {
    foreignCluster: facts.foreignClusters.find(({ spec }) => spec.clusterID === clusterID),
    virtualNodes: facts.virtualNodes.filter(({ spec }) => spec.clusterID === clusterID),
    nodes: facts.nodes,
    namespaceMaps: facts.copiedNamespaceMaps.filter((map) => originID(map) === clusterID),
    hasShadowPods: facts.shadowPodOrigins.includes(clusterID),
    hasIdentity: facts.identitySecrets.some((secret) => remoteID(secret) === clusterID),
    certificates: facts.identities
      .filter(({ spec }) => spec.clusterID === clusterID)
      .flatMap(describeCertificate),
  };
}

function remoteID({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[labels.remoteClusterID];
}

function originID({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[labels.replicationOrigin];
}
