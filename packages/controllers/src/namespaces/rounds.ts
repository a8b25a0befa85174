import { nextInTurn } from '@liqo/model';

/**
 * Where the rounds through long lists of names have got to, so that a list is worked on in turns of bounded length. Lost with
 * the process: the rounds begin again then.
 */
export class Rounds {
  readonly #limit: number;
  readonly #last = new Map<string, string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The names of the next turn of a round; at most `limit`, or as many as are left of it. */
  next(round: string, names: readonly string[], taken = 0): ReadonlySet<string> {
    const limit = Math.max(this.#limit - taken, 0);
    const next = nextInTurn(names, this.#last.get(round), limit);
    const last = next.at(-1);
    if (names.length <= limit) this.#last.delete(round);
    else if (last !== undefined) this.#last.set(round, last);
    return new Set(next);
  }

  forget(...rounds: readonly string[]): void {
    for (const round of rounds) this.#last.delete(round);
  }
}
