import type { ApiCall } from './api-call.ts';
import type { Fault } from './fault.ts';

/** Which call gets which fault, if any. It is asked once about every call, before anything is done with it. */
export type FaultPlan = (call: ApiCall) => Fault | undefined;

export type CallFilter = (call: ApiCall) => boolean;

export const noFaults: FaultPlan = () => undefined;

/** For calls that match, and for the others none. */
export function faultOn(matches: CallFilter, fault: Fault): FaultPlan {
  return (call) => (matches(call) ? fault : undefined);
}

/** As long as it stands, for every call. */
export function always(fault: Fault): FaultPlan {
  return () => fault;
}

/** A plan for the calls of one caller alone. */
export function ofCaller(who: string, plan: FaultPlan): FaultPlan {
  return (call) => (call.who === who ? plan(call) : undefined);
}

/** The first plan that has a fault for a call decides; those behind it are not asked. */
export function firstOf(...plans: readonly FaultPlan[]): FaultPlan {
  return (call) => {
    for (const plan of plans) {
      const fault = plan(call);
      if (fault) return fault;
    }
    return undefined;
  };
}
