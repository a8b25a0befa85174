import { type Clock, formatTime, jitter, type Random, sleep } from '@liqo/kube';
import type { ProviderProblem } from '@liqo/model';

export interface ProviderHealthOptions {
  /** Looks once: what is wrong, if anything. */
  readonly look: (signal: AbortSignal) => Promise<ProviderProblem | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  /** Told when there is something else to say, and when a look is good again after one that was not. */
  readonly onChange: () => void;
  readonly everyMs?: number;
  /** How soon after a look that was not good. */
  readonly retryMs?: number;
  readonly timeoutMs?: number;
  /** How old the last good look may be. */
  readonly patienceMs?: number;
}

/** Not known until the provider has answered, or has had the time to. */
export type Contact = 'unknown' | 'lost' | 'there';

const defaults = { everyMs: 10_000, retryMs: 1_000, timeoutMs: 5_000, patienceMs: 25_000 };

/**
 * Whether the provider can be relied on, by our own observation, which has an age: a look that failed or hangs does not make
 * the last good one younger. A single failed look is not yet silence.
 */
export class ProviderHealth implements AsyncDisposable {
  readonly #options: ProviderHealthOptions & typeof defaults;
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  #good: { readonly atMs: number; readonly time: string } | undefined;
  #found: ProviderProblem = { type: 'silent', why: 'it has not answered yet' };
  readonly #startedMs: number;
  #told = 'unknown';

  constructor(options: ProviderHealthOptions) {
    this.#options = { ...defaults, ...options };
    this.#startedMs = options.clock.monotonicMs();
    this.#looking = this.#lookOnAndOn();
  }

  /** Undefined while it can be relied on; else why not. */
  problem(): ProviderProblem | undefined {
    if (this.#isFresh()) return undefined;
    if (this.#found.type !== 'silent' || !this.#good) return this.#found;
    return { ...this.#found, since: this.#good.time };
  }

  get contact(): Contact {
    if (this.#isFresh()) return 'there';
    const { clock, patienceMs } = this.#options;
    const hasHadTime = clock.monotonicMs() - this.#startedMs >= patienceMs;
    const isCertain = this.#found.type === 'wrong-cluster';
    return !this.#good && !hasHadTime && !isCertain ? 'unknown' : 'lost';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  #isFresh(): boolean {
    const { clock, patienceMs } = this.#options;
    return this.#good !== undefined && clock.monotonicMs() - this.#good.atMs < patienceMs;
  }

  async #lookOnAndOn(): Promise<void> {
    const { clock, random, everyMs, retryMs } = this.#options;
    const { signal } = this.#stop;
    for (let [isGood, wasGood] = [true, true]; !signal.aborted; wasGood = isGood) {
      isGood = await this.#lookOnce();
      if (signal.aborted) return;
      this.#tell(isGood && !wasGood);
      const waitMs = jitter(random, isGood ? everyMs : retryMs, 0.1);
      await sleep(clock, waitMs, signal).catch(() => undefined);
    }
  }

  /** After a return there is work to do even if nobody has noticed the absence: what failed meanwhile waits for its turn. */
  #tell(isReturn: boolean): void {
    const news = `${this.contact} ${this.problem()?.type ?? ''}`;
    if (news === this.#told && !isReturn) return;
    this.#told = news;
    this.#options.onChange();
  }

  async #lookOnce(): Promise<boolean> {
    const { look, clock, timeoutMs } = this.#options;
    const late = new AbortController();
    const timer = clock.after(timeoutMs, () => late.abort(new Error('it did not answer in time')));
    const problem = await look(AbortSignal.any([this.#stop.signal, late.signal]));
    timer.cancel();
    if (problem) this.#found = problem;
    else this.#good = { atMs: clock.monotonicMs(), time: formatTime(clock.now()) };
    return !problem;
  }
}
