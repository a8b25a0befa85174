import {
  ForeignCluster,
  Identity,
  labels,
  labelValues,
  NamespaceMap,
  ShadowPod,
  VirtualNode,
} from '@liqo/api';
import { type Client, isForbidden, type KubeObject, Namespace, Node, Secret } from '@liqo/kube';
import type { PeerFacts } from './peer-facts.ts';

export async function readPeerFacts(client: Client, signal: AbortSignal): Promise<PeerFacts> {
  const withLabel = (labelSelector: string) => ({ labelSelector, signal });
  const [
    foreignClusters,
    virtualNodes,
    nodes,
    tenantNamespaces,
    maps,
    origins,
    secrets,
    identities,
  ] = await Promise.all([
    client.list(ForeignCluster, signal),
    client.list(VirtualNode, signal),
    client.list(Node, withLabel(`${labels.type}=${labelValues.virtualNode}`)),
    client.list(Namespace, withLabel(labels.tenantNamespace)),
    client.list(NamespaceMap, withLabel(`${labels.replicated}=true`)),
    readShadowPodOrigins(client, signal),
    readIdentitySecrets(client, signal),
    readIdentities(client, signal),
  ]);
  return {
    foreignClusters: foreignClusters.items,
    virtualNodes: virtualNodes.items,
    nodes: nodes.items,
    tenantNamespaces: tenantNamespaces.items,
    copiedNamespaceMaps: maps.items,
    shadowPodOrigins: origins,
    identitySecrets: secrets,
    identities,
  };
}

/** Page by page: a provider may have thousands of ShadowPods. */
async function readShadowPodOrigins(
  client: Client,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const origins = new Set<string>();
  for await (const { items } of client.pages(ShadowPod, { labelSelector: labels.origin, signal })) {
    for (const { metadata } of items) origins.add(metadata.labels?.[labels.origin] ?? '');
  }
  return [...origins];
}

/** None without the right to list Secrets: then virtual nodes are the evidence of an identity. */
async function readIdentitySecrets(
  client: Client,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const labelSelector = `${labels.identityType}=ControlPlane`;
  try {
    return (await client.list(Secret, { labelSelector, signal })).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

/** None without the right to list them: the expiry of certificates is not shown. */
async function readIdentities(client: Client, signal: AbortSignal): Promise<readonly Identity[]> {
  try {
    return (await client.list(Identity, signal)).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
