import type { StepReport } from '../output/progress.ts';

/** What a write leaves behind: in words for while it is under way, and for when it is done. */
export interface Trace {
  readonly begun: string;
  readonly done: string;
}

export function making(what: string): Trace {
  return { begun: `${what} may exist`, done: `${what} exists` };
}

export function removing(what: string): Trace {
  return { begun: `${what} may be marked for deletion`, done: `${what} is marked for deletion` };
}

/** Remembers what a command has written, to be said if it is ended before its time. */
export class Traces {
  readonly #progress: Pick<StepReport, 'leaves'>;
  readonly #hint: string;
  #clauses: readonly string[] = [];

  /** The hint says which command goes on, and which one undoes it. */
  constructor(progress: Pick<StepReport, 'leaves'>, hint: string) {
    this.#progress = progress;
    this.#hint = hint;
  }

  get hint(): string {
    return this.#hint;
  }

  async follow<T>({ begun, done }: Trace, work: () => Promise<T>): Promise<T> {
    this.#tell([...this.#clauses, begun]);
    const result = await work();
    this.#clauses = [...this.#clauses.filter((clause) => clause !== done), done];
    this.#tell(this.#clauses);
    return result;
  }

  #tell(clauses: readonly string[]): void {
    this.#progress.leaves({ what: clauses.join(', '), hint: this.#hint });
  }
}
