import type { ResourceSlice } from '@liqo/api';
import { findCondition, removeCondition, setCondition } from '@liqo/kube';
import type { AuthParams } from '../authentication/forge-identity.ts';
import type { ResourcesDecision } from './grant-resources.ts';
import { sliceCondition } from './slice-condition.ts';

type SliceStatus = NonNullable<ResourceSlice['status']>;

/** The status of a slice whose consumer has credentials for it. */
export function acceptedStatus(
  status: SliceStatus | undefined,
  authParams: AuthParams,
  now: string,
): SliceStatus {
  const condition = sliceCondition('Authentication', 'Accepted');
  return { ...status, authParams, conditions: setCondition(status?.conditions, condition, now) };
}

/** The status of a slice that is refused. Earlier credentials are not shown any more. */
export function deniedStatus(
  status: SliceStatus | undefined,
  fact: string,
  now: string,
): SliceStatus {
  const { authParams: _, ...others } = status ?? {};
  const condition = sliceCondition('Authentication', 'Denied', fact);
  return { ...others, conditions: setCondition(others.conditions, condition, now) };
}

/**
 * The status of a slice whose provider answers that its consumer has no rights any more, as after a drain. Undefined unless it was
 * granted: then there is nothing to take back. What was granted, and the credentials, stay to be shown: once the provider gives access
 * again, its own status replaces this one.
 */
export function inaccessibleStatus(
  status: SliceStatus | undefined,
  fact: string,
  now: string,
): SliceStatus | undefined {
  if (findCondition(status?.conditions, 'Resources')?.status !== 'Accepted') return undefined;
  const condition = sliceCondition('Resources', 'Denied', fact, 'AccessWithdrawn');
  return { ...status, conditions: setCondition(status?.conditions, condition, now) };
}

/** The status after a decision about resources. What is granted is replaced whole: what is no longer asked for, or lent, goes. */
export function decidedStatus(
  status: SliceStatus,
  decision: ResourcesDecision,
  now: string,
): SliceStatus {
  switch (decision.type) {
    case 'leave':
      return status;
    case 'reopen':
      return { ...status, conditions: removeCondition(status.conditions ?? [], 'Resources') };
    case 'deny': {
      const condition = sliceCondition('Resources', 'Denied', decision.message, decision.reason);
      return {
        ...withoutGrant(status),
        conditions: setCondition(status.conditions, condition, now),
      };
    }
    case 'grant': {
      const condition = sliceCondition('Resources', 'Accepted');
      const conditions = setCondition(status.conditions, condition, now);
      return { ...withoutGrant(status), ...decision.granted, conditions };
    }
  }
}

function withoutGrant(status: SliceStatus): SliceStatus {
  const {
    resources: _,
    storageClasses: _s,
    ingressClasses: _i,
    loadBalancerClasses: _l,
    nodeLabels: _n,
    ...others
  } = status;
  return others;
}
