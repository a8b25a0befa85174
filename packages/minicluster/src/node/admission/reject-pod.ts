import { type Client, type Clock, formatTime, type Pod, type Stored } from '@liqo/kube';
import { StatusWriter } from '../status/status-writer.ts';
import type { Refusal } from './admit-pod.ts';

export interface RejectionParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Makes a pod that the node does not take a failed one. Resolves when that is written, or cannot be. */
export async function rejectPod(
  { client, clock, signal }: RejectionParts,
  pod: Stored<Pod>,
  { reason, message }: Refusal,
): Promise<void> {
  const { generation } = pod.metadata;
  const status = {
    ...(generation !== undefined && { observedGeneration: generation }),
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: pod.status?.startTime ?? formatTime(clock.now()),
  };
  const writer = new StatusWriter({ client, clock, pod, signal, forge: () => status });
  writer.touch();
  await writer.settle();
}
