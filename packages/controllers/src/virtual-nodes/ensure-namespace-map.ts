import { labels, NamespaceMap, type VirtualNode } from '@liqo/api';
import { isAlreadyExists, mergePatch, ownMember, type Stored } from '@liqo/kube';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

/** One for every provider, however many virtual nodes stand for it: what the namespaces are called over there. */
export async function ensureNamespaceMap(
  { client, maps }: Pick<VirtualNodeWorld, 'client' | 'maps'>,
  { metadata, spec }: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = metadata;
  const { clusterID = '' } = spec;
  const marks = {
    [labels.remoteClusterID]: clusterID,
    [labels.replicationDestination]: clusterID,
    [labels.replication]: 'true',
  };
  const existing = maps.get({ namespace, name: clusterID });
  if (existing && hasMarks(existing, marks)) return;
  const map = {
    metadata: { name: clusterID, ...(namespace && { namespace }), labels: marks },
    spec: {},
  };
  try {
    await client.create(NamespaceMap, map, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    // Somebody took a label off: without them nobody copies it to the provider.
    const key = { namespace, name: clusterID };
    await client.patch(NamespaceMap, key, mergePatch({ metadata: { labels: marks } }), signal);
  }
}

function hasMarks(map: Stored<NamespaceMap>, marks: Readonly<Record<string, string>>): boolean {
  const actual = map.metadata.labels ?? {};
  return Object.entries(marks).every(([key, value]) => ownMember(actual, key) === value);
}
