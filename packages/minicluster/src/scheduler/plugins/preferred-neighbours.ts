import { type AffinityTerm, termMatches } from '../affinity-term.ts';
import type { ClusterSnapshot } from '../cluster-view.ts';
import { maxScore, type ScorePlugin } from '../plugin.ts';
import { hasAffinity, type PodInfo } from '../pod-info.ts';
import { TopologyCounts } from './topology-counts.ts';

/** What a required affinity of a pod already there counts for, seen from the newcomer. */
const requiredWeight = 1;

/** The preferred (anti-)affinity of the pod, and of the pods it would come near to. */
export const preferredNeighbours: ScorePlugin = {
  name: 'InterPodAffinity',
  weight: 2,
  score: (pod, nodes, cluster) => {
    const wishes = sumWishes(pod, cluster);
    if (wishes.isEmpty) return undefined;
    const sums = nodes.map((node) => wishes.sumAt(node));
    const [lowest, highest] = [Math.min(...sums), Math.max(...sums)];
    if (highest === lowest) return sums.map(() => 0);
    return sums.map((sum) => Math.trunc((maxScore * (sum - lowest)) / (highest - lowest)));
  },
};

interface Wish extends AffinityTerm {
  readonly value: number;
}

function sumWishes(pod: PodInfo, cluster: ClusterSnapshot): TopologyCounts {
  const wishes = new TopologyCounts();
  const mine = wishesAbout(pod.preferredAffinity, pod.preferredAntiAffinity);
  for (const node of cluster.nodes) {
    for (const other of node.pods()) {
      if (mine.length === 0 && !hasAffinity(other)) continue;
      const met = [
        ...matching(mine, other, cluster),
        ...matching(wishesOfExisting(other), pod, cluster),
      ];
      for (const { topologyKey, value } of met) wishes.add(node, topologyKey, value);
    }
  }
  return wishes;
}

function wishesOfExisting(pod: PodInfo): Wish[] {
  const required = pod.requiredAffinity.map((term) => ({ ...term, value: requiredWeight }));
  return [...required, ...wishesAbout(pod.preferredAffinity, pod.preferredAntiAffinity)];
}

function wishesAbout(wanted: readonly AffinityTerm[], unwanted: readonly AffinityTerm[]): Wish[] {
  return [
    ...wanted.map((term) => ({ ...term, value: term.weight })),
    ...unwanted.map((term) => ({ ...term, value: -term.weight })),
  ];
}

function matching(wishes: readonly Wish[], pod: PodInfo, cluster: ClusterSnapshot): Wish[] {
  const labels = cluster.namespaceLabels(pod.pod.metadata.namespace ?? '');
  return wishes.filter((wish) => termMatches(wish, pod.pod, labels));
}
