import { annotations, labels, type ShadowPod } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { isFinished } from './finished-phase.ts';
import { type ForgedShadowPod, forgeShadowPod } from './forge-shadow-pod.ts';
import { isReflected, kinshipOf } from './pod-kinship.ts';
import { refusePod } from './refuse-pod.ts';
import type { PodRoute } from './translate-pod-spec.ts';
import { updateShadowPod } from './update-shadow-pod.ts';

/** What to do next for a pod of the consumer. Deletions are meant for the very object that is named, by its UID. */
export type ShadowPodStep =
  | { readonly type: 'create'; readonly shadowPod: ForgedShadowPod }
  | { readonly type: 'update'; readonly shadowPod: Stored<ShadowPod> }
  | { readonly type: 'delete'; readonly shadowPod: Stored<ShadowPod> }
  /**
   * The pod of the consumer is being deleted and nothing of it is left at the provider: if reading the provider once more,
   * not from a cache, shows the same, the pod can be removed at once.
   */
  | { readonly type: 'release' }
  /** For something at the provider to be gone. */
  | { readonly type: 'wait' }
  | { readonly type: 'leave' }
  | { readonly type: 'refuse'; readonly reason: OffloadRefusal; readonly message: string };

type OffloadRefusal = 'NameTaken' | 'UnsupportedField';

/** What there is at the provider under the name of the pod. Absent means seen to be absent, never unknown. */
export interface RemoteTwins {
  readonly shadowPod: Stored<ShadowPod> | undefined;
  readonly pod: Stored<Pod> | undefined;
}

/** The next step for a pod that is bound to the virtual node, in a namespace that is offloaded. */
export function planShadowPod(
  local: Stored<Pod>,
  { shadowPod, pod }: RemoteTwins,
  route: PodRoute,
): ShadowPodStep {
  const [kin, podKin] = [shadowPod, pod].map((twin) => twin && kinshipOf(twin, local, route));
  if (shadowPod && kin === 'predecessor') return remove(shadowPod);
  if (isTerminating(local)) {
    return planEnd(local, kin === 'own' ? shadowPod : undefined, podKin === 'own');
  }
  if (kin === 'stranger' || podKin === 'stranger') return nameTaken(local, route);
  if (isFinished(local.status?.phase)) return planFinished(local, shadowPod);
  if (shadowPod) return planUpdate(local, shadowPod, route);
  // Its ShadowPod is gone, so it is going too; until then two pods of one name might run.
  if (podKin === 'predecessor') return { type: 'wait' };
  const refusal = refusePod(local);
  if (refusal) return { type: 'refuse', ...refusal };
  return { type: 'create', shadowPod: forgeShadowPod(local, route) };
}

/** The next step for a ShadowPod whose pod at the consumer is no more: those of other nodes are for others to judge. */
export function planOrphan(shadowPod: Stored<ShadowPod>, route: PodRoute): ShadowPodStep {
  const isOfThisNode = shadowPod.metadata.labels?.[labels.nodeName] === route.nodeName;
  return isReflected(shadowPod, route) && isOfThisNode ? remove(shadowPod) : { type: 'leave' };
}

/** Who is asked to hurry after the first deletion passes it on with another one. */
function planEnd(
  local: Stored<Pod>,
  shadowPod: Stored<ShadowPod> | undefined,
  isPodThere: boolean,
): ShadowPodStep {
  if (!shadowPod) return { type: isPodThere ? 'wait' : 'release' };
  const wanted = local.metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY;
  const isInHaste = wanted < graceOf(shadowPod);
  return isInHaste ? { type: 'delete', shadowPod } : remove(shadowPod);
}

/** How long the pod at the provider is given to end: what was asked for, or else its own time. */
export function graceOf({ metadata, spec }: Stored<ShadowPod>): number {
  const asked = metadata.annotations?.[annotations.deletionGracePeriodSeconds];
  return Number(asked ?? spec.pod?.terminationGracePeriodSeconds ?? usualGraceSeconds);
}

/** Of a pod that says nothing about it. */
const usualGraceSeconds = 30;

/** It is not started again, and what it left at the provider stays with it. Unless that never came to an end there. */
function planFinished(
  { status }: Stored<Pod>,
  shadowPod: Stored<ShadowPod> | undefined,
): ShadowPodStep {
  const isAborted = status?.reason === 'OffloadingAborted';
  return isAborted && shadowPod ? remove(shadowPod) : { type: 'leave' };
}

function planUpdate(
  local: Stored<Pod>,
  shadowPod: Stored<ShadowPod>,
  route: PodRoute,
): ShadowPodStep {
  if (isTerminating(shadowPod)) return { type: 'wait' };
  if (local.metadata.labels?.[labels.remoteUnavailable] === 'true') return { type: 'leave' };
  const updated = updateShadowPod(shadowPod, forgeShadowPod(local, route));
  return updated ? { type: 'update', shadowPod: updated } : { type: 'leave' };
}

function remove(shadowPod: Stored<ShadowPod>): ShadowPodStep {
  return isTerminating(shadowPod) ? { type: 'wait' } : { type: 'delete', shadowPod };
}

function isTerminating({ metadata }: Stored<Pod> | Stored<ShadowPod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function nameTaken(local: Stored<Pod>, route: PodRoute): ShadowPodStep {
  const { name } = local.metadata;
  const message =
    `Cannot offload pod "${name}": namespace "${route.remoteNamespace}" of provider "${route.providerClusterID}" ` +
    'has a pod of that name that was not made for this cluster';
  return { type: 'refuse', reason: 'NameTaken', message };
}
