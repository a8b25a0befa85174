import { termMatches } from '../affinity-term.ts';
import type { ClusterSnapshot } from '../cluster-view.ts';
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin, Rejection } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { TopologyCounts } from './topology-counts.ts';

const rejections = {
  affinity: { reasons: ["node(s) didn't match pod affinity rules"], resolvable: false },
  antiAffinity: { reasons: ["node(s) didn't match pod anti-affinity rules"], resolvable: true },
  existing: {
    reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
    resolvable: true,
  },
} satisfies Record<string, Rejection>;

/** What other pods are, or do not want to be, near to. */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  prepare: (pod, cluster) => {
    const existing = countObjections(pod, cluster);
    const hasOwn = pod.requiredAffinity.length + pod.requiredAntiAffinity.length > 0;
    if (existing.isEmpty && !hasOwn) return undefined;
    const near = hasOwn ? countNeighbours(pod, cluster) : noNeighbours();
    const startsSeries = near.affinity.isEmpty && matchesAllOwnTerms(pod, cluster);
    return (node) => {
      if (!hasCompany(pod, node, near.affinity, startsSeries)) return rejections.affinity;
      if (hasUnwantedCompany(pod, node, near.antiAffinity)) return rejections.antiAffinity;
      return existing.isPositiveAt(node) ? rejections.existing : undefined;
    };
  },
};

interface Neighbours {
  /** Pods that match all required affinity terms, per term's place. */
  readonly affinity: TopologyCounts;
  readonly antiAffinity: TopologyCounts;
}

function noNeighbours(): Neighbours {
  return { affinity: new TopologyCounts(), antiAffinity: new TopologyCounts() };
}

function countNeighbours(pod: PodInfo, cluster: ClusterSnapshot): Neighbours {
  const near = noNeighbours();
  for (const node of cluster.nodes) {
    for (const other of node.pods()) countNeighbour(pod, other, node, near, cluster);
  }
  return near;
}

function countNeighbour(
  pod: PodInfo,
  other: PodInfo,
  node: NodeInfo,
  near: Neighbours,
  cluster: ClusterSnapshot,
): void {
  const labels = cluster.namespaceLabels(other.pod.metadata.namespace ?? '');
  const matchesOther = (term: PodInfo['requiredAffinity'][number]) =>
    termMatches(term, other.pod, labels);
  if (pod.requiredAffinity.length > 0 && pod.requiredAffinity.every(matchesOther)) {
    for (const term of pod.requiredAffinity) near.affinity.add(node, term.topologyKey, 1);
  }
  for (const term of pod.requiredAntiAffinity.filter(matchesOther)) {
    near.antiAffinity.add(node, term.topologyKey, 1);
  }
}

/** Where pods are that do not want this one near. */
function countObjections(pod: PodInfo, cluster: ClusterSnapshot): TopologyCounts {
  const counts = new TopologyCounts();
  const labels = cluster.namespaceLabels(pod.pod.metadata.namespace ?? '');
  for (const node of cluster.nodes) {
    for (const other of node.pods()) {
      for (const term of other.requiredAntiAffinity) {
        if (termMatches(term, pod.pod, labels)) counts.add(node, term.topologyKey, 1);
      }
    }
  }
  return counts;
}

/** The first of pods that want to be near each other finds nobody: it may start anywhere with the right labels. */
function hasCompany(
  pod: PodInfo,
  node: NodeInfo,
  counts: TopologyCounts,
  startsSeries: boolean,
): boolean {
  const keys = pod.requiredAffinity.map(({ topologyKey }) => topologyKey);
  if (keys.some((key) => node.labels[key] === undefined)) return false;
  return keys.every((key) => counts.at(node, key) > 0) || startsSeries;
}

function matchesAllOwnTerms(pod: PodInfo, cluster: ClusterSnapshot): boolean {
  const labels = cluster.namespaceLabels(pod.pod.metadata.namespace ?? '');
  return pod.requiredAffinity.every((term) => termMatches(term, pod.pod, labels));
}

function hasUnwantedCompany(pod: PodInfo, node: NodeInfo, counts: TopologyCounts): boolean {
  return pod.requiredAntiAffinity.some(({ topologyKey }) => counts.at(node, topologyKey) > 0);
}
