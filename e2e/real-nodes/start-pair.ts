import { mergePatch, Node } from '@liqo/kube';
import {
  type Link,
  link,
  type RealCluster,
  type RealNode,
  startRealCluster,
} from '@liqo/testkit/real-cluster';
import { loadTestImages } from './test-images.ts';

export interface Pair extends AsyncDisposable {
  readonly clusters: readonly [RealCluster, RealCluster];
  /** May be another one after a test that removed it. */
  link: Link;
}

/** Keeps pods away from the node that may be lost, unless they say otherwise. */
const spare = { key: 'example.com/spare', effect: 'NoSchedule' };
export const toleratesSpare = { tolerations: [{ ...spare, operator: 'Exists' }] };

/** Two clusters of two nodes each and a spare one, linked, in which the loss of a node is noticed within seconds. */
export async function startPair(): Promise<Pair> {
  const options = {
    nodes: 3,
    // How soon a kubelet notices a changed secret and the end of a back-off.
    kubeletConfig: { nodeLeaseDurationSeconds: 8, syncFrequency: '3s' },
    controllerManagerFlags: { 'node-monitor-grace-period': '8s', 'node-monitor-period': '1s' },
  };
  const clusters = await Promise.all([
    startRealCluster({ name: 'home', ...options }),
    startRealCluster({ name: 'abroad', ...options }),
  ]);
  await Promise.all(clusters.map((cluster) => setSpareAside(cluster)));
  await loadTestImages(clusters);
  return {
    clusters,
    link: await link(...clusters),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
    },
  };
}

export function spareNodeOf(cluster: RealCluster): RealNode {
  return cluster.node(`${cluster.name}-node-3`);
}

async function setSpareAside(cluster: RealCluster): Promise<void> {
  const { name } = spareNodeOf(cluster);
  await cluster.client.patch(Node, { name }, mergePatch({ spec: { taints: [spare] } }));
}
