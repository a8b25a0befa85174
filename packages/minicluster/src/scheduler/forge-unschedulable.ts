import { findCondition, type Pod, type Stored } from '@liqo/kube';

/** The condition that tells why the pod has no node; undefined when it says so already. */
export function forgeUnschedulable(pod: Stored<Pod>, message: string, now: string) {
  const before = findCondition(pod.status?.conditions, 'PodScheduled');
  const wasFalse = before?.status === 'False';
  if (wasFalse && before.reason === 'Unschedulable' && before.message === message) return undefined;
  return {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    observedGeneration: pod.metadata.generation ?? 0,
    lastProbeTime: null,
    lastTransitionTime: (wasFalse && before.lastTransitionTime) || now,
  };
}
