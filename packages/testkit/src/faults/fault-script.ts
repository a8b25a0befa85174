import type { ApiCall } from './api-call.ts';
import type { Fault } from './fault.ts';
import type { CallFilter, FaultPlan } from './fault-plan.ts';

interface Rule {
  readonly matches: CallFilter;
  readonly faults: (Fault | undefined)[];
}

/** A plan that is written down call by call, and used up. */
export class FaultScript {
  #rules: Rule[] = [];

  /** The next calls that match get these faults, one each, in this order; `undefined` is none. */
  next(matches: CallFilter, ...faults: readonly (Fault | undefined)[]): void {
    this.#rules.push({ matches, faults: [...faults] });
  }

  /** How many faults have not happened yet. */
  get left(): number {
    return this.#rules.reduce((sum, { faults }) => sum + faults.length, 0);
  }

  readonly plan: FaultPlan = (call: ApiCall) => {
    this.#rules = this.#rules.filter(({ faults }) => faults.length > 0);
    return this.#rules.find(({ matches }) => matches(call))?.faults.shift();
  };
}
