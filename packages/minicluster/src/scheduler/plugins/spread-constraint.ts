import { type LabelQuery, labelQueryFromSelector, matchesLabels, type Pod } from '@liqo/kube';
import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1.d.ts';
import type { NodeInfo } from '../node-info.ts';
import { matchesRequiredNodes } from './node-affinity.ts';
import { tolerates } from './tolerations.ts';

/** A topology spread constraint of a pod, parsed. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly query: LabelQuery;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

export function spreadConstraints(
  pod: Pod,
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway',
): readonly SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => parseConstraint(constraint, pod.metadata?.labels ?? {}));
}

function parseConstraint(
  constraint: TopologySpreadConstraint,
  labels: Readonly<Record<string, string>>,
): SpreadConstraint {
  const { topologyKey, maxSkew, labelSelector, matchLabelKeys = [] } = constraint;
  const own = matchLabelKeys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const matchLabels = { ...labelSelector?.matchLabels, ...Object.fromEntries(own) };
  return {
    topologyKey,
    maxSkew,
    minDomains: constraint.minDomains ?? 1,
    query: labelQueryFromSelector(labelSelector && { ...labelSelector, matchLabels }),
    honorsAffinity: (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
  };
}

/** Whether the node's pods count at all. */
export function countsNode(constraint: SpreadConstraint, pod: Pod, node: NodeInfo): boolean {
  if (constraint.honorsAffinity && !matchesRequiredNodes(pod, node.node)) return false;
  if (!constraint.honorsTaints) return true;
  const taints = node.node.spec?.taints ?? [];
  return taints.every(
    (taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.spec?.tolerations, taint),
  );
}

export function hasAllPlaces(node: NodeInfo, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => node.labels[topologyKey] !== undefined);
}

/** Pods that are going away do not count, and neither does anything for a selector that says nothing. */
export function countMatching({ query }: SpreadConstraint, pod: Pod, node: NodeInfo): number {
  if (query.requirements.length === 0) return 0;
  let count = 0;
  for (const { pod: other } of node.pods()) {
    const { namespace, deletionTimestamp, labels } = other.metadata;
    if (namespace !== pod.metadata?.namespace || deletionTimestamp) continue;
    if (matchesLabels(query, labels)) count += 1;
  }
  return count;
}
