import { labels, ShadowPod } from '@liqo/api';
import { apiVersionOf, deepEqual, type Namespace, type Pod, type Stored } from '@liqo/kube';
import { appliedGeneration, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';
import { finishedPhase, isFinished } from '../pods/finished-phase.ts';
import { followPodSpec, followResources, missingEphemeral } from '../pods/follow-pod-spec.ts';
import { consumerPodUid } from '../pods/pod-kinship.ts';
import type { EphemeralContainer, PodSpec } from '../pods/pod-spec.ts';
import type { PodChange } from './denied-change.ts';
import { forgePod, wantedMetadata } from './forge-pod.ts';

/** What to do next so that a ShadowPod has the pod that it asks for. */
export type PodStep =
  | { readonly type: 'create'; readonly pod: Pod }
  | ChangeStep
  /** A pod of an earlier ShadowPod of that name: two must never run at once. */
  | { readonly type: 'delete'; readonly pod: Stored<Pod> }
  /** For the pod to be gone; it is made again then. */
  | { readonly type: 'wait' }
  | { readonly type: 'leave' }
  | { readonly type: 'refuse'; readonly reason: PodRefusalReason; readonly message: string };

/** A change of a running pod, which the API server can deny. */
interface ChangeStep {
  /**
   * `update`: metadata, images, deadline and tolerations. `resize`: resources. `debug`: an ephemeral container. The last two
   * have subresources of their own.
   */
  readonly type: 'update' | 'resize' | 'debug';
  readonly change: PodChange;
  readonly pod: Stored<Pod>;
}

type PodRefusalReason = 'NameTaken' | 'NoPodSpec' | 'OriginMismatch';

/**
 * The next step, given the ShadowPod, the pod of its name as the API server has it now, and the namespace of both.
 * A pod that has finished is not made again, and a foreign pod is not touched. Changes that were denied a
 * moment ago are left out, so that they do not hold up the others; they are planned again next time.
 */
export function planPod(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
  namespace: Namespace,
  denied: readonly PodChange[] = [],
): PodStep {
  const spec = shadowPod.spec.pod;
  if (shadowPod.metadata.deletionTimestamp !== undefined) return { type: 'leave' };
  if (isFinished(shadowPod.status?.phase)) return { type: 'leave' };
  if (!hasRightOrigin(shadowPod, namespace)) return refuseOrigin(shadowPod, namespace);
  if (!spec) return refuse(shadowPod, 'NoPodSpec', 'spec.pod is empty');
  return pod
    ? planExisting(shadowPod, spec, pod, denied)
    : { type: 'create', pod: forgePod(shadowPod, spec) };
}

/**
 * The phase to be written to a ShadowPod; undefined if it is good as it is. A finished one keeps its phase, and of one that is
 * being deleted nobody needs to know more than how it ended.
 */
export function nextShadowPodPhase(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
): NonNullable<ShadowPod['status']>['phase'] | undefined {
  const current = shadowPod.status?.phase;
  if (isFinished(current) || !pod || kinship(shadowPod, pod) !== 'own') return undefined;
  const isLeaving = shadowPod.metadata.deletionTimestamp !== undefined;
  const phase = finishedPhase(pod) ?? (isLeaving ? current : unfinishedPhase(pod));
  return phase === current ? undefined : phase;
}

type UnfinishedPhase = 'Pending' | 'Running' | 'Unknown';

/** Undefined where the pod is on its way out: the next one will say. */
function unfinishedPhase({ status }: Pod): UnfinishedPhase | undefined {
  switch (status?.phase) {
    case 'Pending':
    case 'Running':
    case 'Unknown':
      return status.phase;
    default:
      return undefined;
  }
}

function planExisting(
  shadowPod: Stored<ShadowPod>,
  spec: PodSpec,
  pod: Stored<Pod>,
  denied: readonly PodChange[],
): PodStep {
  const isTerminating = pod.metadata.deletionTimestamp !== undefined;
  switch (kinship(shadowPod, pod)) {
    case 'stranger':
      return refuse(shadowPod, 'NameTaken', 'a pod of that name exists and was not made for it');
    case 'predecessor':
      return isTerminating ? { type: 'wait' } : { type: 'delete', pod };
    case 'own':
      if (isTerminating) return { type: 'wait' };
      if (isFinished(pod.status?.phase)) return { type: 'leave' };
      return planChange(shadowPod, spec, pod, denied);
  }
}

/**
 * The spec is compared only if the ShadowPod has changed since: admission at the provider may have made something else of
 * what was asked for, and asking again would not change that. The generation is recorded with the last change, once none
 * was denied.
 */
function planChange(
  shadowPod: Stored<ShadowPod>,
  wanted: PodSpec,
  pod: Stored<Pod>,
  denied: readonly PodChange[],
): PodStep {
  const { spec: current = { containers: [] } } = pod;
  const isUpToDate = appliedGeneration(pod.metadata) === shadowPod.metadata.generation;
  const isDenied = (change: PodChange) => denied.some((one) => deepEqual(one, change));
  const resized = isUpToDate ? current : followResources(current, wanted);
  if (resized !== current && !isDenied('resize')) {
    return { type: 'resize', change: 'resize', pod: { ...pod, spec: resized } };
  }
  const [container] = (isUpToDate ? [] : missingEphemeral(current, wanted)).filter(
    ({ name }) => !isDenied({ ephemeralContainer: name }),
  );
  if (container) return planEphemeral(pod, container);
  const metadata = denied.length > 0 ? unapplied(shadowPod, pod) : wantedMetadata(shadowPod);
  const updated = {
    ...pod,
    metadata: { ...pod.metadata, ...applyMetadata(pod.metadata, metadata) },
    spec: isUpToDate ? current : followPodSpec(current, wanted),
  };
  if (isDenied('update') || deepEqual(updated, pod)) return { type: 'leave' };
  return { type: 'update', change: 'update', pod: updated };
}

function planEphemeral(pod: Stored<Pod>, container: EphemeralContainer): ChangeStep {
  const { spec = { containers: [] } } = pod;
  const ephemeralContainers = [...(spec.ephemeralContainers ?? []), container];
  return {
    type: 'debug',
    change: { ephemeralContainer: container.name },
    pod: { ...pod, spec: { ...spec, ephemeralContainers } },
  };
}

/** What is wanted of the metadata, with the generation that the pod was last brought up to. */
function unapplied(shadowPod: Stored<ShadowPod>, pod: Stored<Pod>): WantedMetadata {
  const { generation: _, ...wanted } = wantedMetadata(shadowPod);
  const generation = appliedGeneration(pod.metadata);
  return { ...wanted, ...(generation !== undefined && { generation }) };
}

function kinship(shadowPod: Stored<ShadowPod>, pod: Stored<Pod>) {
  const { name, uid, annotations = {} } = shadowPod.metadata;
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller);
  const isMade = owner?.kind === ShadowPod.kind && owner.apiVersion === apiVersionOf(ShadowPod);
  if (!isMade || owner.name !== name) return 'stranger';
  const [asked, running] = [
    annotations[consumerPodUid],
    pod.metadata.annotations?.[consumerPodUid],
  ];
  const isSamePod = asked === undefined || running === undefined || asked === running;
  return owner.uid === uid && isSamePod ? 'own' : 'predecessor';
}

/** A namespace was made for one consumer, and runs the pods of no other. */
function hasRightOrigin({ metadata }: Stored<ShadowPod>, namespace: Namespace): boolean {
  const origin = metadata.labels?.[labels.origin];
  return origin !== undefined && origin === namespace.metadata?.labels?.[labels.remoteClusterID];
}

function refuseOrigin(shadowPod: Stored<ShadowPod>, namespace: Namespace): PodStep {
  const origin = shadowPod.metadata.labels?.[labels.origin] ?? '';
  const { name = '' } = namespace.metadata ?? {};
  const fact = `it says that it comes from "${origin}", for which namespace "${name}" was not made`;
  return refuse(shadowPod, 'OriginMismatch', fact);
}

function refuse({ metadata }: Stored<ShadowPod>, reason: PodRefusalReason, fact: string): PodStep {
  const message = `Cannot run ShadowPod "${metadata.name}": ${fact}`;
  return { type: 'refuse', reason, message };
}
