import { isWrite } from './api-call.ts';
import { failAfterEffect, lostAnswer, lostRequest, refusal } from './fault.ts';
import { always, type FaultPlan, faultOn, noFaults } from './fault-plan.ts';

export type LinkFault =
  | 'none'
  | 'refused'
  | 'lostRequest'
  | 'lostAnswer'
  | 'garbledAnswer'
  | 'failing'
  | 'conflicting';

/** What can be wrong with a link to a server for a while, by name. */
export const linkFaults: Readonly<Record<LinkFault, FaultPlan>> = {
  none: noFaults,
  /** The connection cannot be made: nothing is sent. */
  refused: always(lostRequest('refuse')),
  /** Calls vanish; no answer comes, ever. */
  lostRequest: always(lostRequest('stall')),
  /** The server acts on a write, and its answer vanishes. */
  lostAnswer: faultOn(isWrite, lostAnswer('stall')),
  /** The server acts on a write, and something in between answers 500. */
  garbledAnswer: faultOn(isWrite, failAfterEffect(500)),
  /** The server answers 500 and does nothing. */
  failing: always(refusal(500)),
  /** Somebody else is always faster: every write is a conflict. */
  conflicting: faultOn(isWrite, refusal(409)),
};
