import type { Clock } from '@liqo/kube';

export interface Reviewed<T> {
  readonly value: T;
  /** How long it holds. */
  readonly ttlMs: number;
}

interface Entry<T> {
  readonly value: T;
  readonly expiresMs: number;
}

/**
 * Answers of the API server that hold for a while. However many ask at once, it is asked once; what fails is not
 * remembered. When it is full, the answer that was used least recently goes.
 */
export class ReviewCache<T> {
  readonly #clock: Clock;
  readonly #capacity: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #asking = new Map<string, Promise<T>>();

  constructor(clock: Clock, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  async get(key: string, review: () => Promise<Reviewed<T>>): Promise<T> {
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known && known.expiresMs > this.#clock.monotonicMs()) {
      this.#entries.set(key, known);
      return known.value;
    }
    return this.#asking.get(key) ?? this.#ask(key, review);
  }

  #ask(key: string, review: () => Promise<Reviewed<T>>): Promise<T> {
    const answer = review()
      .then(({ value, ttlMs }) => {
        this.#remember(key, { value, expiresMs: this.#clock.monotonicMs() + ttlMs });
        return value;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, answer);
    return answer;
  }

  #remember(key: string, entry: Entry<T>): void {
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) return;
      this.#entries.delete(oldest);
    }
  }
}
