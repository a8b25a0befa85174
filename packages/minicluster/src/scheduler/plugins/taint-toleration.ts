import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import type { NodeInfo } from '../node-info.ts';
import { type FilterPlugin, normalizeScores, type Rejection, type ScorePlugin } from '../plugin.ts';
import { tolerates } from './tolerations.ts';

const rejection: Rejection = { reasons: ['node(s) had untolerated taint(s)'], resolvable: false };

export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  prepare: ({ pod }) => {
    const isRefused = (taint: Taint) =>
      keepsAway(taint) && !tolerates(pod.spec?.tolerations, taint);
    return (node) => (taintsOf(node).some(isRefused) ? rejection : undefined);
  },
};

/** The fewer taints of the mild kind a pod must put up with, the better. */
export const fewTaints: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  score: ({ pod }, nodes) => {
    const mild = (pod.spec?.tolerations ?? []).filter(
      ({ effect }) => !effect || effect === 'PreferNoSchedule',
    );
    const counts = nodes.map((node) => {
      const discouraging = taintsOf(node).filter(({ effect }) => effect === 'PreferNoSchedule');
      return discouraging.filter((taint) => !tolerates(mild, taint)).length;
    });
    return normalizeScores(counts, true);
  },
};

function keepsAway({ effect }: Taint): boolean {
  return effect === 'NoSchedule' || effect === 'NoExecute';
}

function taintsOf({ node }: NodeInfo): readonly Taint[] {
  return node.spec?.taints ?? [];
}
