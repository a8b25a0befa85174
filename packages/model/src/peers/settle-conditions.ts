import { findCondition, setCondition } from '@liqo/kube';
import type { NewPeerCondition, PeerCondition } from './foreign-cluster-facts.ts';

/** The wanted conditions, in their order and no others; a status that has not changed keeps its transition time. */
export function settleConditions(
  before: readonly PeerCondition[] | undefined,
  wanted: readonly NewPeerCondition[],
  now: string,
): PeerCondition[] {
  return wanted.flatMap((condition) => {
    const known = findCondition(before, condition.type);
    return setCondition(known ? [known] : [], condition, now);
  });
}
