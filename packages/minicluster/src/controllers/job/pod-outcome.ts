import type { Job, Pod } from '@liqo/kube';
import { isPodTerminating } from '../pod-state.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

export type Outcome = 'Succeeded' | 'Failed';

export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Whether pods are replaced only when they have ended, not when they begin to. */
export function awaitsEnd({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** A pod that is deleted before it could end has failed, unless its end is waited for: nobody may be left to say so. */
export function outcomeOf(job: Job, pod: Pod): Outcome | undefined {
  if (pod.status?.phase === 'Succeeded') return 'Succeeded';
  if (pod.status?.phase === 'Failed') return 'Failed';
  const isLost = isPodTerminating(pod) && (!awaitsEnd(job) || hasFailed(job));
  return isLost ? 'Failed' : undefined;
}

/** Of a job that has failed, whatever still runs has failed, too. */
function hasFailed({ status }: Job): boolean {
  return status?.conditions?.some(({ type }) => type === 'FailureTarget') ?? false;
}
