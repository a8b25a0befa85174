/** What was started, to be ended in the opposite order: whatever came later may stand on what came before. */
export class InReverse implements AsyncDisposable {
  readonly #started: (Disposable | AsyncDisposable)[] = [];

  add<T extends Disposable | AsyncDisposable>(part: T): T {
    this.#started.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let part = this.#started.pop(); part; part = this.#started.pop()) {
      if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
      else part[Symbol.dispose]();
    }
  }
}
