import { type Link, link, type RealCluster, startRealCluster } from '@liqo/testkit/cluster';
import { loadTestImages } from './test-images.ts';

export interface Pair extends AsyncDisposable {
  readonly clusters: readonly [RealCluster, RealCluster];
  /** May be another one after a test that removed it. */
  link: Link;
}

/** Two clusters of two nodes each, linked, in which the loss of a node is noticed within seconds. */
export async function startPair(): Promise<Pair> {
  const options = {
    nodes: 2,
    // How soon a kubelet notices a changed secret and the end of a back-off.
    kubeletConfig: { nodeLeaseDurationSeconds: 8, syncFrequency: '3s' },
    controllerManagerFlags: { 'node-monitor-grace-period': '8s', 'node-monitor-period': '1s' },
  };
  const clusters = await Promise.all([
    startRealCluster({ name: 'home', ...options }),
    startRealCluster({ name: 'abroad', ...options }),
  ]);
  await loadTestImages(clusters);
  return {
    clusters,
    link: await link(...clusters),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
    },
  };
}
