import type { ClusterSnapshot } from './cluster-view.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** Why a node will not do. */
export interface Rejection {
  /** In the words of kube-scheduler: they are counted over all nodes and shown to people. */
  readonly reasons: readonly string[];
  /** Whether it could do once other pods have left it. */
  readonly resolvable: boolean;
}

export type NodeFilter = (node: NodeInfo) => Rejection | undefined;

/** Says which nodes will not do. Pure: what it needs to know of the cluster is worked out once per pod. */
export interface FilterPlugin {
  readonly name: string;
  /** Why the pod can have no node whatever the node, if so. */
  refuse?(pod: PodInfo, cluster: ClusterSnapshot): string | undefined;
  /** Undefined when it has nothing to say about this pod. */
  prepare(pod: PodInfo, cluster: ClusterSnapshot): NodeFilter | undefined;
  /** Names the only nodes that come into question, if the pod does. */
  preselect?(pod: PodInfo): ReadonlySet<string> | undefined;
}

/** Says how well the remaining nodes do. */
export interface ScorePlugin {
  readonly name: string;
  readonly weight: number;
  /** From 0 to 100, in the order of the nodes; undefined when all are the same to it. */
  score(
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    cluster: ClusterSnapshot,
  ): readonly number[] | undefined;
}

export const maxScore = 100;

/** Stretches scores of zero or more to the whole scale; `reverse` when less is better. */
export function normalizeScores(scores: readonly number[], reverse: boolean): number[] {
  const highest = Math.max(0, ...scores);
  if (highest === 0) return scores.map(() => (reverse ? maxScore : 0));
  return scores.map((score) => {
    const share = Math.trunc((maxScore * score) / highest);
    return reverse ? maxScore - share : share;
  });
}
