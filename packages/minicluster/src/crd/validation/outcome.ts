import type { ValueProblem } from './value-problem.ts';

/**
 * What came of checking a value. `matches` counts the checks that were made and passed: of several schemas that all
 * refuse a value, the server tells of the faults with the one that came closest by this count.
 */
export interface Outcome {
  readonly problems: readonly ValueProblem[];
  readonly matches: number;
}

export class OutcomeBuilder {
  readonly #problems: ValueProblem[] = [];
  #matches = 0;

  add(problems: readonly ValueProblem[], matches = 1): this {
    this.#problems.push(...problems);
    this.#matches += matches;
    return this;
  }

  merge(outcome: Outcome, matches = 1): this {
    return this.add(outcome.problems, outcome.matches + matches);
  }

  build(): Outcome {
    return { problems: this.#problems, matches: this.#matches };
  }
}
