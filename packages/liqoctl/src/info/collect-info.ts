import { Deployment, Pod } from '@liqo/kube';
import type { Cluster } from '../cluster/connect-cluster.ts';
import { readClusterID } from '../cluster/read-cluster-id.ts';
import { explain } from '../explain.ts';
import { type ClusterInfo, judgeHealth, judgePeers, type LocalInfo } from './cluster-info.ts';
import { readPeerFacts } from './read-peer-facts.ts';
import { clusterLabels, controllerManagerName, serverVersion } from './server-version.ts';

interface CollectOptions {
  readonly liqoNamespace: string;
  /** Told of a section that could not be had: the others are shown all the same. */
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Reads everything that `liqoctl info` shows. Without Liqo there is nothing to show. */
export async function collectInfo(
  cluster: Cluster,
  options: CollectOptions,
): Promise<Partial<ClusterInfo>> {
  const { liqoNamespace, signal } = options;
  const doing = 'show the state of Liqo';
  const clusterID = await readClusterID(cluster.client, {
    liqoNamespace,
    doing,
    flag: '-n',
    signal,
  });
  const sections = {
    health: () => readHealth(cluster, options),
    local: () => readLocal(cluster, clusterID, options),
    peerings: () => readPeerings(cluster, options),
  };
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, read] of Object.entries(sections)) {
    try {
      entries.push([name, await read()]);
    } catch (error) {
      options.signal.throwIfAborted();
      options.warn(explain(`show the section "${name}"`, error).message);
    }
  }
  return Object.fromEntries(entries);
}

async function readLocal(
  { client, server }: Cluster,
  clusterID: string,
  { liqoNamespace: namespace, signal }: CollectOptions,
): Promise<LocalInfo> {
  const key = { namespace, name: controllerManagerName };
  const deployment = await client.get(Deployment, key, signal);
  return {
    clusterID,
    version: (deployment && serverVersion(deployment)) ?? '',
    labels: deployment ? clusterLabels(deployment) : {},
    APIServerAddr: server,
  };
}

async function readHealth(
  { client }: Cluster,
  { liqoNamespace: namespace, signal }: CollectOptions,
) {
  return judgeHealth((await client.list(Pod, { namespace, signal })).items);
}

async function readPeerings({ client }: Cluster, { signal }: CollectOptions) {
  return { peers: judgePeers(await readPeerFacts(client, signal)) };
}
