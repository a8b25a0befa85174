import { ShadowPod } from '@liqo/api';
import {
  ApiError,
  isConflict,
  isNotFound,
  isTransient,
  type Json,
  keyOf,
  mergePatch,
} from '@liqo/kube';
import {
  deniedEphemeral,
  type EphemeralProblem,
  planEphemeralContainers,
  type RemoteTwins,
} from '@liqo/model';
import type { ReconcileContext } from '@liqo/runtime';
import type { OffloadedPod } from './reconcile-pod.ts';

/**
 * Sends the ephemeral containers that the provider does not have yet, and returns why it does not take them. A ShadowPod
 * that changed or went meanwhile is left alone: the event of that change reconciles the pod again.
 */
export async function addEphemeralContainers(
  { local, route, session, remote }: OffloadedPod,
  twins: RemoteTwins,
  run: ReconcileContext,
): Promise<EphemeralProblem | undefined> {
  const step = planEphemeralContainers(local, twins, route);
  if (step.type === 'refuse') return step.problem;
  if (step.type === 'leave' || !twins.shadowPod) return undefined;
  const { resourceVersion } = twins.shadowPod.metadata;
  const pod: unknown = { ephemeralContainers: step.ephemeralContainers };
  const patch = mergePatch({ metadata: { resourceVersion }, spec: { pod: pod as Json } });
  try {
    const key = keyOf(twins.shadowPod);
    run.wrote(remote.shadowPods, await session.client.patch(ShadowPod, key, patch, run.signal));
    return undefined;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined;
    const isDenied = error instanceof ApiError && !isTransient(error);
    if (!isDenied || error.code === 401) throw error;
    return deniedEphemeral(local, route, error.message);
  }
}
