import { type ApiCall, isWrite } from './api-call.ts';
import { type Fault, lostAnswer, lostRequest } from './fault.ts';
import type { CallFilter, FaultPlan } from './fault-plan.ts';
import { untilAborted } from './until-aborted.ts';

export interface CrashPointOptions {
  /** The number of the call at which the process dies, the first being 1; never, if it does not make so many. */
  readonly at: number;
  /** Before that call takes effect, or after it did. */
  readonly when: 'before' | 'after';
  /** Which calls count: the writes, unless said otherwise. */
  readonly counts?: CallFilter;
}

/**
 * The death of a process at one of its calls. From there on none of its calls arrives anywhere, and it hears nothing any
 * more, neither answers nor what happens in its watches; what is left of it is for the test to dispose of. A process with
 * several clients dies by giving the same crash point to all of them.
 */
export class CrashPoint {
  readonly #options: CrashPointOptions;
  readonly #death = new AbortController();
  readonly #done = new AbortController();
  #counted = 0;
  /** The calls that did not reach the server: the deadly one if it is lost, and all that follow. */
  readonly lost = new Set<ApiCall>();
  /** Resolves when it has happened, the effect of the last call included. */
  readonly happened: Promise<void>;

  constructor(options: CrashPointOptions) {
    this.#options = options;
    this.happened = untilAborted(this.#done.signal);
  }

  /** How many of the calls that count were made, the deadly one included. */
  get counted(): number {
    return this.#counted;
  }

  get hasHappened(): boolean {
    return this.#counted >= this.#options.at;
  }

  readonly plan: FaultPlan = (call: ApiCall): Fault | undefined => {
    if (this.hasHappened) return this.#lose(call);
    const { counts = isWrite, when } = this.#options;
    if (counts(call)) this.#counted += 1;
    if (!this.hasHappened) return { silentAfter: this.#death.signal };
    this.#death.abort();
    const done = () => this.#done.abort();
    return when === 'before'
      ? { ...this.#lose(call), before: done }
      : { ...lostAnswer('stall'), after: done };
  };

  #lose(call: ApiCall): Fault {
    this.lost.add(call);
    return lostRequest('stall');
  }
}
