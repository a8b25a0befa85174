import { labels, type ShadowPod } from '@liqo/api';
import { deepEqual, findCondition, type Pod, type Stored, setCondition } from '@liqo/kube';
import { appliedGeneration } from '../applied-metadata.ts';
import { deniedResize } from './denied-resize.ts';
import { hasAllEphemeral, reflectEphemeral } from './ephemeral-statuses.ts';
import { finishedPhase, isFinished } from './finished-phase.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { type OffloadProblem, wasDenied, withProblem } from './offload-problem.ts';
import type { EphemeralProblem } from './plan-ephemeral-containers.ts';
import { kinshipOf } from './pod-kinship.ts';
import type { ContainerStatus, PodStatus } from './pod-status.ts';
import { endPodStatus } from './pod-without-provider.ts';
import { type AddressContext, withAddresses } from './reflect-addresses.ts';
import { reflectConditions } from './reflect-conditions.ts';
import { awaitContainer, reflectContainers } from './reflect-containers.ts';
import type { PodRoute } from './translate-pod-spec.ts';
import { updateShadowPod } from './update-shadow-pod.ts';

/** What is at the provider under the name of the pod, and whether that can be known. */
export interface RemoteState {
  readonly isReachable: boolean;
  readonly shadowPod: Stored<ShadowPod> | undefined;
  readonly pod: Stored<Pod> | undefined;
  /** Why ephemeral containers of the pod were not sent. */
  readonly ephemeralProblem?: EphemeralProblem | undefined;
}

export interface StatusContext extends AddressContext {
  readonly route: PodRoute;
  /** Why the provider does not have the pod as it is at the consumer; absent when the provider accepts it. */
  readonly problem?: OffloadProblem;
}

/**
 * The status to be written to a pod of the consumer, or nothing if it is good as it is. Its phase comes from the provider,
 * or stays: a lost contact and a deleted pod over there are no ends. A finished pod stays as it finished.
 */
export function nextPodStatus(
  local: Stored<Pod>,
  remote: RemoteState,
  context: StatusContext,
): PodStatus | undefined {
  const before: PodStatus = local.status ?? {};
  if (isFinished(before.phase)) return undefined;
  const after = statusFrom(local, remote, context);
  return deepEqual(after, before) ? undefined : after;
}

function statusFrom(local: Stored<Pod>, remote: RemoteState, context: StatusContext): PodStatus {
  const before: PodStatus = local.status ?? {};
  if (!remote.isReachable) return withoutContact(before, context);
  const isCutOff = local.metadata.labels?.[labels.remoteUnavailable] === 'true';
  const known = knownStatus(local, remote, context);
  return isCutOff && !isFinished(known.phase) ? behindUnreadyNode(known, before, context) : known;
}

/** The node is not ready, for whatever reason, and nobody should send requests; what the provider says is true all the same. */
function behindUnreadyNode(known: PodStatus, before: PodStatus, context: StatusContext): PodStatus {
  const ready = findCondition(before.conditions, 'Ready');
  const conditions = known.conditions?.map((one) => (one.type === 'Ready' && ready) || one);
  return withoutContact({ ...known, ...(conditions && { conditions }) }, context);
}

function knownStatus(local: Stored<Pod>, remote: RemoteState, context: StatusContext): PodStatus {
  const before: PodStatus = local.status ?? {};
  const own = <T extends Stored<Pod> | Stored<ShadowPod>>(object: T | undefined) =>
    object && kinshipOf(object, local, context.route) === 'own' ? object : undefined;
  const [pod, shadowPod] = [own(remote.pod), own(remote.shadowPod)];
  const { problem, now } = context;
  if (pod && !isOfEarlier(pod, shadowPod)) {
    const { ephemeralProblem } = remote;
    const reflected = reflect({ local, before, pod, shadowPod, ephemeralProblem, context });
    return withProblem(reflected, problem, now);
  }
  const phase = shadowPod?.status?.phase;
  if (isFinished(phase)) {
    const end = { phase, reason: 'RemotePodTerminated', now };
    return endPodStatus(withProblem(before, undefined, now), end);
  }
  const missing = withoutPod(local, before, context);
  // Other problems than a denied write may outlast the ShadowPod: that of a name, for instance.
  return problem || wasDenied(before) ? withProblem(missing, problem, now) : missing;
}

/** On its way out with the ShadowPod that it was made for; another one comes, and how this one ends means nothing. */
function isOfEarlier({ metadata }: Stored<Pod>, shadowPod: Stored<ShadowPod> | undefined): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return shadowPod !== undefined && owner !== undefined && owner.uid !== shadowPod.metadata.uid;
}

/** Nobody should send requests to a pod that nobody can see. Nothing else is known to have changed. */
function withoutContact(before: PodStatus, { route, now }: StatusContext): PodStatus {
  const ready = findCondition(before.conditions, 'Ready');
  if (ready?.status !== 'True') return before;
  const message = `The provider "${route.providerClusterID}" cannot be reached; the rest is what was last known`;
  const notReady = {
    type: 'Ready',
    status: 'False' as const,
    reason: 'ProviderUnreachable',
    message,
  };
  return { ...before, conditions: setCondition(before.conditions, notReady, now) };
}

/** The pod at the provider is not there yet, or not there any more. One that goes here too is let go in a moment. */
function withoutPod(local: Stored<Pod>, before: PodStatus, { now }: StatusContext): PodStatus {
  if (isTerminating(local)) return before;
  const { spec = { containers: [] } } = local;
  const wait = (containers: Containers) => (status: ContainerStatus) =>
    awaitContainer(status, { spec, containers });
  const { containerStatuses, initContainerStatuses } = before;
  const ephemeral = reflectEphemeral({ local, remotePod: undefined, shadowPod: undefined, now });
  if (!containerStatuses?.length && !initContainerStatuses?.length) return before;
  const missing = { status: 'False' as const, reason: 'RemotePodMissing' };
  const contained = setCondition(before.conditions, { type: 'ContainersReady', ...missing }, now);
  return {
    ...before,
    conditions: setCondition(contained, { type: 'Ready', ...missing }, now),
    ...(containerStatuses && { containerStatuses: containerStatuses.map(wait(spec.containers)) }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map(wait(spec.initContainers)),
    }),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  };
}

type Containers = NonNullable<Pod['spec']>['initContainers'];

interface Reflection {
  readonly local: Stored<Pod>;
  readonly before: PodStatus;
  readonly pod: Stored<Pod>;
  readonly shadowPod: Stored<ShadowPod> | undefined;
  readonly ephemeralProblem: EphemeralProblem | undefined;
  readonly context: StatusContext;
}

/** Those are about the pod as an object of its cluster, not about what runs. */
const fieldsOfConsumer: readonly string[] = [
  'qosClass',
  'nominatedNodeName',
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'observedGeneration',
  'startTime',
];

const addressFields: readonly string[] = ['podIP', 'podIPs', 'hostIP', 'hostIPs'];

/** Put together here for those containers that the pod at the consumer has. */
const containerFields = [
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const;

/** What is not simply taken over. */
const judgedFields: readonly string[] = [...fieldsOfConsumer, ...addressFields, ...containerFields];

/** The whole status at the provider, so that a field which Kubernetes adds tomorrow is there, but for what is ours. */
function reflect(reflection: Reflection): PodStatus {
  const { before, pod, context } = reflection;
  const remote: PodStatus = pod.status ?? {};
  const observedGeneration = observed(reflection);
  const startTime = remote.startTime ?? before.startTime;
  const denied = deniedResize({ ...reflection, now: context.now });
  const status: PodStatus = {
    ...pick(remote, (field) => !judgedFields.includes(field)),
    ...pick(before, (field) => fieldsOfConsumer.includes(field)),
    ...(startTime && { startTime }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    phase: reflectPhase(reflection),
    conditions: reflectConditions({
      local: reflection.local,
      before: before.conditions ?? [],
      remote: [...(remote.conditions ?? []), ...(denied ? [denied] : [])],
      isFinished: finishedPhase(pod) !== undefined,
      observedGeneration,
      now: context.now,
    }),
    ...reflectStatuses(reflection, remote),
  };
  return withAddresses(status, remote, context);
}

function pick(status: PodStatus, isWanted: (field: string) => boolean): PodStatus {
  return Object.fromEntries(Object.entries(status).filter(([field]) => isWanted(field)));
}

function isTerminating({ metadata }: Stored<Pod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

type Phase = NonNullable<PodStatus['phase']>;

/** An end counts if it is the end of the work, or if the pod is on its way out at the consumer as well. */
function reflectPhase({ local, before, pod }: Reflection): Phase {
  const phase = pod.status?.phase ?? 'Pending';
  const isAnEnd = finishedPhase(pod) !== undefined || isTerminating(local);
  const isKnown = phase !== 'Unknown' && (!isFinished(phase) || isAnEnd);
  return isKnown ? phase : (before.phase ?? 'Pending');
}

function reflectStatuses(
  { local, before, pod, shadowPod, ephemeralProblem: problem, context }: Reflection,
  remote: PodStatus,
): Partial<Pick<PodStatus, (typeof containerFields)[number]>> {
  const { spec = { containers: [] } } = local;
  const isSamePod = before.startTime === undefined || before.startTime === remote.startTime;
  const facts = {
    spec,
    isRecreated: remote.startTime !== undefined && !isSamePod,
    isReplaced: isTerminating(pod) && !isTerminating(local) && !finishedPhase(pod),
  };
  const containers = reflectContainers(before.containerStatuses, remote.containerStatuses, {
    ...facts,
    containers: spec.containers,
  });
  const init = reflectContainers(before.initContainerStatuses, remote.initContainerStatuses, {
    ...facts,
    containers: spec.initContainers,
  });
  const { now } = context;
  const ephemeral = reflectEphemeral({ local, remotePod: pod, shadowPod, problem, now });
  return {
    ...(containers.length > 0 && { containerStatuses: containers }),
    ...(init.length > 0 && { initContainerStatuses: init }),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  };
}

/** The generation of the pod at the consumer that runs at the provider; the one known before while a change is on its way. */
function observed({ local, before, pod, shadowPod, context }: Reflection): number | undefined {
  const remote: PodStatus = pod.status ?? {};
  const { generation } = local.metadata;
  if (before.observedGeneration === generation) return generation;
  if (remote.observedGeneration === undefined) return before.observedGeneration;
  const isSeen = remote.observedGeneration === pod.metadata.generation;
  const isSent =
    shadowPod &&
    !updateShadowPod(shadowPod, forgeShadowPod(local, context.route)) &&
    hasAllEphemeral(local, pod);
  const applied = appliedGeneration(pod.metadata) ?? shadowPod?.metadata.generation;
  const isApplied = applied === shadowPod?.metadata.generation;
  return isSeen && isSent && isApplied ? generation : before.observedGeneration;
}
