interface Waiting {
  readonly condition: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Those who wait for something to become true. Whoever changes the facts calls `check`. */
export class WaitList {
  readonly #waiting = new Set<Waiting>();

  /** Resolves as soon as `condition` holds; rejects when it throws, and with the signal's reason when that aborts first. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (condition()) return resolve();
      const giveUp = () => leave(() => reject(signal?.reason));
      const leave = (settle: () => void) => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', giveUp);
        settle();
      };
      const waiting: Waiting = {
        condition,
        resolve: () => leave(resolve),
        reject: (error) => leave(() => reject(error)),
      };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  check(): void {
    for (const waiting of this.#waiting) {
      try {
        if (waiting.condition()) waiting.resolve();
      } catch (error) {
        waiting.reject(error);
      }
    }
  }

  /** What everybody waits for is not going to happen. */
  rejectAll(error: Error): void {
    for (const waiting of this.#waiting) waiting.reject(error);
  }
}
