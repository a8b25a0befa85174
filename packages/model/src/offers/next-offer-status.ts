import type { Advertisement, AdvertisementConditionType, VirtualNode } from '@liqo/api';
import {
  findCondition,
  type NewCondition,
  oneLine,
  removeCondition,
  setCondition,
} from '@liqo/kube';
import type { OfferVerdict } from './judge-offer.ts';
import type { OfferProblem } from './offer-problem.ts';
import type { OfferTimes } from './offer-times.ts';
import { appliedOf } from './usable-offer.ts';

type Status = NonNullable<Advertisement['status']>;
type Condition = NonNullable<Status['conditions']>[number];

/** Whether something that an accepted offer needs is there. */
export interface Readiness {
  readonly isReady: boolean;
  /** One word. */
  readonly reason: string;
  readonly message: string;
}

/** The status after a decision. What has been done about it is for the next one. */
export function decidedOfferStatus(
  status: Status | undefined,
  verdict: OfferVerdict,
  { times, now }: { readonly times: OfferTimes; readonly now: string },
): Status {
  const { value, source, reason } = verdict;
  const before = status?.decision;
  const isSame = before?.value === value && before.source === source && before.reason === reason;
  const time = isSame ? (before.time ?? now) : now;
  const accepted = conditionOf('Accepted', {
    isReady: value === 'Accepted',
    reason,
    message: verdict.message,
  });
  return {
    ...status,
    ...times,
    phase: value,
    decision: { value, source, reason, time },
    conditions: setCondition(status?.conditions ?? [], accepted, now),
  };
}

/** What is known of an accepted offer besides the decision. */
export interface OfferProgress {
  /** What is wrong with a refresh, whose offer is then not applied. */
  readonly problem: OfferProblem | undefined;
  readonly spec: Advertisement['spec'];
  readonly network: Readiness;
  readonly credentials: Readiness;
  readonly virtualNode: Readiness;
  /** While there is one. */
  readonly virtualNodeName: string | undefined;
}

/** The status of an accepted offer. */
export function progressedOfferStatus(
  status: Status,
  progress: OfferProgress,
  now: string,
): Status {
  const { problem, network, credentials, virtualNode, virtualNodeName } = progress;
  const applied = problem ? status.applied : appliedOf(progress.spec);
  const usable: Readiness = problem
    ? { isReady: false, ...problem }
    : { isReady: true, reason: 'Applied', message: 'The virtual node has what is offered' };
  const conditions = [
    conditionOf('SpecApplied', usable),
    conditionOf('NetworkReady', network),
    conditionOf('CredentialsReady', credentials),
    conditionOf('VirtualNodeReady', virtualNode),
  ].reduce((all, condition) => setCondition(all, condition, now), status.conditions ?? []);
  const { virtualNodeRef: _, ...others } = status;
  return {
    ...others,
    ...(applied && { applied }),
    ...(virtualNodeName !== undefined && { virtualNodeRef: { name: virtualNodeName } }),
    conditions,
  };
}

const ofAccepted: readonly AdvertisementConditionType[] = [
  'SpecApplied',
  'NetworkReady',
  'CredentialsReady',
  'VirtualNodeReady',
  'Reachable',
];

/** The status of an offer that has no virtual node, or whose virtual node is removed. */
export function standDownStatus(
  status: Status,
  { going, now }: { readonly going: string | undefined; readonly now: string },
): Status {
  const { virtualNodeRef, applied: _, ...others } = status;
  const kept = ofAccepted.reduce<Condition[]>(
    (conditions, type) => removeCondition(conditions, type),
    status.conditions ?? [],
  );
  if (going === undefined) return { ...others, conditions: kept };
  const draining = conditionOf('VirtualNodeReady', {
    isReady: false,
    reason: 'Draining',
    message: going,
  });
  // While the virtual node goes, it matters whether the provider can still end the pods.
  const before = (status.conditions ?? []).filter(
    ({ type }) => type === 'VirtualNodeReady' || type === 'Reachable',
  );
  const conditions = setCondition([...kept, ...before], draining, now);
  return { ...others, ...(virtualNodeRef && { virtualNodeRef }), conditions };
}

/** The status of an offer whose provider answers. */
export function reachableOfferStatus(status: Status | undefined, now: string): Status {
  const message = 'The API server of the provider answers';
  const condition = conditionOf('Reachable', { isReady: true, reason: 'Answers', message });
  const conditions = setCondition(status?.conditions ?? [], condition, now);
  return { ...status, phase: status?.phase ?? 'Pending', conditions };
}

/** The status of an offer whose provider is given up. */
export function unreachableOfferStatus(
  status: Status | undefined,
  message: string,
  now: string,
): Status {
  const condition = conditionOf('Reachable', { isReady: false, reason: 'NoAnswer', message });
  const conditions = setCondition(status?.conditions ?? [], condition, now);
  return { ...status, phase: status?.phase ?? 'Pending', conditions };
}

/** What the virtual node of an offer says of itself. */
export function judgeVirtualNode({ status }: VirtualNode): Readiness {
  const conditions = status?.conditions ?? [];
  const found = [findCondition(conditions, 'Node'), findCondition(conditions, 'VirtualKubelet')];
  const missing = found.find((condition) => condition?.status !== 'Running');
  if (found.every((condition) => condition?.status === 'Running')) {
    return { isReady: true, reason: 'Running', message: 'The Node is ready' };
  }
  const { reason = 'Creating', message = 'Waiting for the virtual kubelet and the Node' } =
    missing ?? {};
  return { isReady: false, reason, message };
}

function conditionOf(
  type: AdvertisementConditionType,
  { isReady, reason, message }: Readiness,
): NewCondition<Condition> {
  return { type, status: isReady ? 'True' : 'False', reason, message: oneLine(message) };
}
