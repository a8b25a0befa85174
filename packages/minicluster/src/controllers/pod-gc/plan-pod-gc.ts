import { type Pod, parseTime, type Stored } from '@liqo/kube';
import { isPodFinished, isPodTerminating } from '../pod-state.ts';

export interface PodGarbage {
  readonly pod: Stored<Pod>;
  /** Why, for those that have to be told first that they have failed. */
  readonly message?: string;
}

export interface PodGcInputs {
  readonly pods: readonly Stored<Pod>[];
  /** Nodes that were looked for and are certainly gone. */
  readonly goneNodes: ReadonlySet<string>;
  /** So many finished pods may stay. */
  readonly threshold: number;
}

/** The pods that nobody else will remove. */
export function planPodGc({ pods, goneNodes, threshold }: PodGcInputs): readonly PodGarbage[] {
  const finished = pods.filter((pod) => isPodFinished(pod) && !isPodTerminating(pod));
  const excess = Math.max(0, finished.length - threshold);
  const oldest = finished.toSorted(byCreation).slice(0, excess);
  const isOrphan = ({ spec }: Pod) => goneNodes.has(spec?.nodeName ?? '');
  const isUnscheduled = (pod: Pod) => isPodTerminating(pod) && !pod.spec?.nodeName;
  return [
    ...oldest.map((pod) => ({ pod })),
    ...pods.filter(isOrphan).map((pod) => ({ pod, message: 'PodGC: node no longer exists' })),
    ...pods.filter(isUnscheduled).map((pod) => ({ pod })),
  ];
}

function byCreation(a: Stored<Pod>, b: Stored<Pod>): number {
  return parseTime(a.metadata.creationTimestamp) - parseTime(b.metadata.creationTimestamp);
}
