import { findCondition, isConditionTrue, type Pod, parseTime, type Stored } from '@liqo/kube';

export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp !== undefined;
}

/** Counts as a replica: neither finished nor on its way out. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && !isPodTerminating(pod);
}

export function isPodReady(pod: Pod): boolean {
  return isConditionTrue(pod.status?.conditions, 'Ready');
}

/** How long until the pod has been ready for so many seconds: 0 when it has, undefined while it is not ready. */
function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  if (!ready.lastTransitionTime) return undefined;
  const availableMs = parseTime(ready.lastTransitionTime) + minReadySeconds * 1000;
  return Math.max(0, availableMs - nowMs);
}

export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return availableInMs(pod, minReadySeconds, nowMs) === 0;
}

/** How long until the next of the pods turns available by the mere passing of time. */
export function nextAvailableInMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = pods
    .map((pod) => availableInMs(pod, minReadySeconds, nowMs))
    .filter((wait) => wait !== undefined && wait > 0);
  return waits.length === 0 ? undefined : Math.min(...waits.map(Number));
}

export function createdMs(object: Stored<Pod>): number {
  return parseTime(object.metadata.creationTimestamp);
}
