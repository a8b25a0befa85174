import { findCondition, type Pod, type Stored } from '@liqo/kube';

/**
 * Whether a pod at the provider stands in no queue any more: a machine has it in hand, however long it takes to start, or the
 * scheduler has said that there is none, or it is over.
 */
export function isTakenUp({ metadata, status }: Stored<Pod>): boolean {
  const { phase = 'Pending', startTime, conditions } = status ?? {};
  return (
    startTime !== undefined ||
    phase !== 'Pending' ||
    findCondition(conditions, 'PodScheduled')?.status === 'False' ||
    metadata.deletionTimestamp !== undefined
  );
}
