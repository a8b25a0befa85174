import type { Minicluster } from '@liqo/minicluster';
import { type EmbeddedOptions, embeddedKubernetes } from './embedded-kubernetes.ts';

export interface ClusterOptions extends EmbeddedOptions {
  readonly clusterID: string;
}

/** An embedded cluster of one node, with the product installed and running. */
export async function startCluster({
  clusterID,
  ...options
}: ClusterOptions): Promise<Minicluster> {
  const kubernetes = await embeddedKubernetes(options);
  const cluster = await kubernetes.startCluster(clusterID);
  try {
    await kubernetes.install(cluster);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
