import { ShadowPod } from '@liqo/api';
import { apiVersionOf, type Namespace, type Pod, type Stored } from '@liqo/kube';
import { describeWrongOrigin, hasRightOrigin } from '../namespaces/origin.ts';
import { judgePod, type PodVerdict } from '../pod-policy/judge-pod.ts';
import type { PodPolicy } from '../pod-policy/pod-policy.ts';
import { finishedPhase, isFinished } from '../pods/finished-phase.ts';
import { consumerPodUid } from '../pods/pod-kinship.ts';
import { denialMessage, deniedChange, type PodChange } from './denied-change.ts';
import { forgePod } from './forge-pod.ts';
import { type ChangeStep, isUpToDate, planChange } from './plan-change.ts';

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
type PodRefusalReason =
  | 'NameTaken'
  | 'NoPodSpec'
  | 'OriginMismatch'
  | 'PodPolicy'
  | typeof deniedChange;

/** Where the pod of a ShadowPod runs. */
export interface PodPlace {
  readonly namespace: Namespace;
  readonly policy: PodPolicy;
}

/**
 * The next step, given the ShadowPod, the pod of its name as the API server has it now, and the namespace of both.
 * A pod that has finished is not made again, and a foreign pod is not touched. Changes that were denied a
 * moment ago are left out, so that they do not hold up the others; they are planned again next time.
 */
export function planPod(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
  place: PodPlace,
  denied: readonly PodChange[] = [],
): PodStep {
  const { namespace, policy } = place;
  const spec = shadowPod.spec.pod;
  if (shadowPod.metadata.deletionTimestamp !== undefined) return { type: 'leave' };
  if (isFinished(shadowPod.status?.phase)) return { type: 'leave' };
  if (!hasRightOrigin(shadowPod, namespace)) {
    return refuse(shadowPod, 'OriginMismatch', describeWrongOrigin(shadowPod, namespace));
  }
  if (!spec) return refuse(shadowPod, 'NoPodSpec', 'spec.pod is empty');
  const judge = () => judgePod(spec, { policy, namespace: shadowPod.metadata.namespace ?? '' });
  if (pod) return planExisting(shadowPod, pod, { policy, denied, judge });
  const verdict = judge();
  if (verdict.type === 'refused') return refuse(shadowPod, 'PodPolicy', verdict.fact);
  return { type: 'create', pod: forgePod(shadowPod, verdict.spec, policy) };
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

interface ExistingContext {
  readonly policy: PodPolicy;
  readonly denied: readonly PodChange[];
  readonly judge: () => PodVerdict;
}

function planExisting(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod>,
  context: ExistingContext,
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
      return planFollowing(shadowPod, pod, context);
  }
}

/** A pod that runs is not ended because the policy has changed since: what it is asked to become is refused. */
function planFollowing(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod>,
  { policy, denied, judge }: ExistingContext,
): PodStep {
  if (isUpToDate(shadowPod, pod)) return planChange(shadowPod, pod, { policy, denied });
  const verdict = judge();
  if (verdict.type === 'allowed') {
    const { ephemeralContainers } = shadowPod.spec.pod ?? {};
    const wanted = { ...verdict.spec, ...(ephemeralContainers && { ephemeralContainers }) };
    return planChange(shadowPod, pod, { policy, denied, wanted });
  }
  const message = denialMessage('update', pod.metadata.name, verdict.fact);
  return { type: 'refuse', reason: deniedChange, message };
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

function refuse({ metadata }: Stored<ShadowPod>, reason: PodRefusalReason, fact: string): PodStep {
  const message = `Cannot run ShadowPod "${metadata.name}": ${fact}`;
  return { type: 'refuse', reason, message };
}
