import type { Pod } from '@liqo/kube';
import type { ClusterSnapshot } from '../cluster-view.ts';
import type { NodeInfo } from '../node-info.ts';
import { maxScore, type ScorePlugin } from '../plugin.ts';
import {
  countMatching,
  countsNode,
  hasAllPlaces,
  type SpreadConstraint,
  spreadConstraints,
} from './spread-constraint.ts';

const hostname = 'kubernetes.io/hostname';

/** Constraints that may be broken: the fewer matching pods a place has, the better. */
export const evenSpread: ScorePlugin = {
  name: 'PodTopologySpread',
  weight: 2,
  score: ({ pod }, nodes, cluster) => {
    const constraints = spreadConstraints(pod, 'ScheduleAnyway');
    if (constraints.length === 0) return undefined;
    const placed = nodes.filter((node) => hasAllPlaces(node, constraints));
    const crowds = constraints.map((constraint) => crowdIn(constraint, placed, pod, cluster));
    const sums = nodes.map((node) => {
      if (!placed.includes(node)) return undefined;
      return Math.round(crowds.reduce((sum, crowd) => sum + crowd(node), 0));
    });
    return invert(sums);
  },
};

/** How crowded a constraint finds the place of a node; places of which there are many weigh more. */
function crowdIn(
  constraint: SpreadConstraint,
  candidates: readonly NodeInfo[],
  pod: Pod,
  { nodes }: ClusterSnapshot,
): (node: NodeInfo) => number {
  const { topologyKey, maxSkew } = constraint;
  const placeOf = (node: NodeInfo) => node.labels[topologyKey] ?? '';
  const counts = new Map(candidates.map((node) => [placeOf(node), 0]));
  for (const node of nodes) {
    const count = counts.get(placeOf(node));
    if (count === undefined || !countsNode(constraint, pod, node)) continue;
    counts.set(placeOf(node), count + countMatching(constraint, pod, node));
  }
  const places = topologyKey === hostname ? candidates.length : counts.size;
  const weight = Math.log(places + 2);
  return (node) => (counts.get(placeOf(node)) ?? 0) * weight + maxSkew - 1;
}

function invert(sums: readonly (number | undefined)[]): number[] {
  const known = sums.filter((sum) => sum !== undefined);
  const [lowest, highest] = [Math.min(...known), Math.max(0, ...known)];
  return sums.map((sum) => {
    if (sum === undefined) return 0;
    if (highest === 0) return maxScore;
    return Math.trunc((maxScore * (highest + lowest - sum)) / highest);
  });
}
