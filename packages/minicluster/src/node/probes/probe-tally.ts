import type { Probe } from 'kubernetes-types/core/v1.d.ts';

/** What a probe holds of a container, which changes only when enough answers in a row say so. */
export class ProbeTally {
  readonly #thresholds: { readonly failure: number; readonly success: number };
  #last: 'failure' | 'success' | undefined;
  #run = 0;

  constructor({ failureThreshold = 3, successThreshold = 1 }: Probe) {
    this.#thresholds = { failure: failureThreshold, success: successThreshold };
  }

  /** The verdict that this answer leads to, if it leads to one. */
  count(answer: 'failure' | 'success'): 'failure' | 'success' | undefined {
    this.#run = this.#last === answer ? this.#run + 1 : 1;
    this.#last = answer;
    return this.#run >= this.#thresholds[answer] ? answer : undefined;
  }
}
