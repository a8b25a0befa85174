import { type ApiCall, isWrite } from './api-call.ts';
import { type Fault, refusal } from './fault.ts';
import type { CallFilter, FaultPlan } from './fault-plan.ts';

export interface RefusalPointOptions {
  /** The number of the call that is refused, the first being 1; none, if there are not so many. */
  readonly at: number;
  /** Which calls count: the writes, unless said otherwise. */
  readonly counts?: CallFilter;
}

/** One call that is refused, once, without an effect: a change because of a conflict, anything else because the server fails. */
export class RefusalPoint {
  readonly #options: RefusalPointOptions;
  #counted = 0;
  /** The call that was refused. */
  readonly lost = new Set<ApiCall>();

  constructor(options: RefusalPointOptions) {
    this.#options = options;
  }

  get hasHappened(): boolean {
    return this.#counted >= this.#options.at;
  }

  readonly plan: FaultPlan = (call: ApiCall): Fault | undefined => {
    const { at, counts = isWrite } = this.#options;
    if (!counts(call)) return undefined;
    this.#counted += 1;
    if (this.#counted !== at) return undefined;
    this.lost.add(call);
    return refusal(call.verb === 'create' ? 500 : 409);
  };
}
