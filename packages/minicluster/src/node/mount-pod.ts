import { type Pod, type Stored, sleep } from '@liqo/kube';
import type { PodPlace } from './volumes/downward-api.ts';
import { mountVolumes, type VolumeFiles } from './volumes/mount-volumes.ts';
import { PodSources } from './volumes/pod-sources.ts';
import type { WorkerParts } from './worker-parts.ts';

const firstRetryMs = 500;
const longestRetryMs = 122_000;

/** Tries until the volumes can be had, telling why not each time; undefined when the pod ends first. */
export async function mountPod(
  parts: WorkerParts,
  pod: Stored<Pod>,
  place: PodPlace,
  ending: AbortSignal,
): Promise<VolumeFiles | undefined> {
  const sources = new PodSources(parts.client, pod.metadata.namespace ?? '', ending);
  let retryMs = firstRetryMs;
  while (!ending.aborted) {
    try {
      return await mountVolumes({ pod, place, sources });
    } catch (error) {
      if (ending.aborted) return undefined;
      const message = error instanceof Error ? error.message : String(error);
      parts.events.record(pod, { type: 'Warning', reason: 'FailedMount', message });
      await sleep(parts.clock, retryMs, ending).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, longestRetryMs);
    }
  }
  return undefined;
}
