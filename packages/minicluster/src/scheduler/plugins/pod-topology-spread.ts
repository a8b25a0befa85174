import { matchesLabels, type Pod } from '@liqo/kube';
import type { ClusterSnapshot } from '../cluster-view.ts';
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin, Rejection } from '../plugin.ts';
import {
  countMatching,
  countsNode,
  hasAllPlaces,
  type SpreadConstraint,
  spreadConstraints,
} from './spread-constraint.ts';

const reason = "node(s) didn't match pod topology spread constraints";
const skewed: Rejection = { reasons: [reason], resolvable: true };
const nowhere: Rejection = { reasons: [`${reason} (missing required label)`], resolvable: false };

export const podTopologySpread: FilterPlugin = {
  name: 'PodTopologySpread',
  prepare: ({ pod }, cluster) => {
    const constraints = spreadConstraints(pod, 'DoNotSchedule');
    if (constraints.length === 0) return undefined;
    const checks = constraints.map((constraint) => {
      const counts = countPlaces(constraint, constraints, pod, cluster);
      return (node: NodeInfo) => checkSkew(constraint, counts, pod, node);
    });
    return (node) => firstRejection(checks, node);
  },
};

type Check = (node: NodeInfo) => Rejection | undefined;

function firstRejection(checks: readonly Check[], node: NodeInfo): Rejection | undefined {
  for (const check of checks) {
    const rejection = check(node);
    if (rejection) return rejection;
  }
  return undefined;
}

/** How many matching pods each place has; only nodes that have a place for every constraint count. */
function countPlaces(
  constraint: SpreadConstraint,
  all: readonly SpreadConstraint[],
  pod: Pod,
  { nodes }: ClusterSnapshot,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const place = node.labels[constraint.topologyKey];
    if (place === undefined || !hasAllPlaces(node, all)) continue;
    if (!countsNode(constraint, pod, node)) continue;
    counts.set(place, (counts.get(place) ?? 0) + countMatching(constraint, pod, node));
  }
  return counts;
}

function checkSkew(
  constraint: SpreadConstraint,
  counts: ReadonlyMap<string, number>,
  pod: Pod,
  node: NodeInfo,
): Rejection | undefined {
  const place = node.labels[constraint.topologyKey];
  if (place === undefined) return nowhere;
  const fewest = counts.size < constraint.minDomains ? 0 : Math.min(...counts.values());
  const self = matchesLabels(constraint.query, pod.metadata?.labels) ? 1 : 0;
  const skew = (counts.get(place) ?? 0) + self - fewest;
  return skew > constraint.maxSkew ? skewed : undefined;
}
