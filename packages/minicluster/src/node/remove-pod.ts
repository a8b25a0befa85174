import {
  type Client,
  type Clock,
  isConflict,
  isNotFound,
  keyOf,
  Pod,
  type Stored,
  sleep,
} from '@liqo/kube';
import { isReplaced } from './is-replaced.ts';

export interface RemovePodParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const retryMs = 1_000;

/** Lets go of a deleted pod that nothing of runs any more: this very one, not a later one of the same name. */
export async function removePod(parts: RemovePodParts, pod: Stored<Pod>): Promise<void> {
  const { client, clock, signal } = parts;
  const preconditions = { uid: pod.metadata.uid };
  while (!signal.aborted) {
    try {
      await client.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0, preconditions, signal });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (isConflict(error) && (await isReplaced(client, pod, signal))) return;
      await sleep(clock, retryMs, signal).catch(() => undefined);
    }
  }
}
