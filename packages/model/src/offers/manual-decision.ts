import type { Advertisement } from '@liqo/api';

type Decision = 'Accepted' | 'Refused';

/**
 * What a person has decided about an offer; undefined if it is left to the policy. A person, or `liqoctl advertisement`,
 * writes `status.decision` with the source `Manual` and without a time, or changes `status.phase` alone: the controller
 * completes the decision and keeps its source. The value `Pending` hands the offer back to the policy.
 */
export function manualDecisionOf({ status }: Pick<Advertisement, 'status'>): Decision | undefined {
  const { phase = 'Pending', decision } = status ?? {};
  const isManual = decision?.source === 'Manual';
  const isNew = isManual && decision.time === undefined;
  if (isNew) return unlessPending(decision.value);
  // The controller writes both together: another phase was written by a person.
  if (phase !== (decision?.value ?? 'Pending')) return unlessPending(phase);
  return isManual ? unlessPending(decision.value) : undefined;
}

function unlessPending(value: Decision | 'Pending'): Decision | undefined {
  return value === 'Pending' ? undefined : value;
}
