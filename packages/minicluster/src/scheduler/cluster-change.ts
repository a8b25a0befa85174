import { deepEqual, type Node, type Pod } from '@liqo/kube';

/** What may have become possible. */
export type ClusterChange = 'node' | 'pod-gone' | 'pod-placed' | 'volume';

const helpedBy: Readonly<Record<ClusterChange, readonly string[] | 'all'>> = {
  node: 'all',
  'pod-gone': ['NodeResourcesFit', 'NodePorts', 'PodTopologySpread', 'InterPodAffinity'],
  'pod-placed': ['PodTopologySpread', 'InterPodAffinity'],
  volume: ['VolumeBinding'],
};

/** Whether a pod that these plugins found no node for has a new chance. A pod that saw no node at all waits for one. */
export function mayHelp(change: ClusterChange, rejectedBy: ReadonlySet<string>): boolean {
  const plugins = helpedBy[change];
  return plugins === 'all' || plugins.some((name) => rejectedBy.has(name));
}

/** Heartbeats change nodes all the time, and nothing that scheduling looks at. */
export function nodeChanged(before: Node | undefined, after: Node): boolean {
  return !before || !deepEqual(schedulingFacts(before), schedulingFacts(after));
}

function schedulingFacts({ metadata, spec, status }: Node) {
  const { taints, unschedulable } = spec ?? {};
  return { labels: metadata?.labels, taints, unschedulable, allocatable: status?.allocatable };
}

/** Whether the pod itself asks for something else than before: its status does not count. */
export function podChanged(before: Pod, after: Pod): boolean {
  const { labels } = before.metadata ?? {};
  return !deepEqual(before.spec, after.spec) || !deepEqual(labels, after.metadata?.labels);
}
