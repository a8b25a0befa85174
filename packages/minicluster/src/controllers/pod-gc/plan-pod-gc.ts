import { isConditionTrue, type Node, type Pod, parseTime, type Stored } from '@liqo/kube';
import { isPodFinished, isPodTerminating } from '../pod-state.ts';

/** So many finished pods may stay, for people to look at. */
const finishedPodsKept = 12_500;
const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

export interface PodGarbage {
  readonly pod: Stored<Pod>;
  /** Why, for those that have to be told first that they have failed. */
  readonly message?: string;
}

export interface PodGcInputs {
  readonly pods: readonly Stored<Pod>[];
  readonly nodeOf: (name: string) => Stored<Node> | undefined;
  /** Nodes that were looked for and are certainly gone. */
  readonly goneNodes: ReadonlySet<string>;
}

/** The pods that nobody else will remove. */
export function planPodGc({ pods, nodeOf, goneNodes }: PodGcInputs): readonly PodGarbage[] {
  const isOrphan = ({ spec }: Pod) => goneNodes.has(spec?.nodeName ?? '');
  const isStuck = (pod: Pod) =>
    isPodTerminating(pod) && isOutOfService(nodeOf(pod.spec?.nodeName ?? ''));
  const isUnscheduled = (pod: Pod) => isPodTerminating(pod) && !pod.spec?.nodeName;
  return [
    ...excess(pods.filter(isPodFinished)).map((pod) => ({ pod })),
    ...pods.filter(isStuck).map((pod) => ({ pod })),
    ...pods.filter(isOrphan).map((pod) => ({ pod, message: 'PodGC: node no longer exists' })),
    ...pods.filter(isUnscheduled).map((pod) => ({ pod })),
  ];
}

/** Evicted ones first: nobody misses them. */
function excess(finished: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const count = Math.max(0, finished.length - finishedPodsKept);
  return count === 0 ? [] : finished.toSorted(byDispensability).slice(0, count);
}

function byDispensability(a: Stored<Pod>, b: Stored<Pod>): number {
  const [first, second] = [sortKey(a), sortKey(b)];
  return first.rank - second.rank || first.createdMs - second.createdMs || byName(a, b);
}

function sortKey({ metadata, status }: Stored<Pod>) {
  const isEvicted = status?.phase === 'Failed' && status.reason === 'Evicted';
  return { rank: isEvicted ? 0 : 1, createdMs: parseTime(metadata.creationTimestamp) };
}

function byName(a: Stored<Pod>, b: Stored<Pod>): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** Somebody said that the node will not come back, and it does not claim the contrary. */
function isOutOfService(node: Node | undefined): boolean {
  const isTainted = node?.spec?.taints?.some(({ key }) => key === outOfServiceTaint) ?? false;
  return isTainted && !isConditionTrue(node?.status?.conditions, 'Ready');
}
