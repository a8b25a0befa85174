import {
  ApiError,
  type Clock,
  deadline,
  isForbidden,
  isUnauthorized,
  jitter,
  type Random,
  sleep,
} from '@liqo/kube';
import type { ApiServerState } from '@liqo/model';
import type { PeerLink } from './peer-links.ts';

interface ApiServerProbeOptions {
  readonly link: PeerLink;
  readonly clock: Clock;
  readonly random: Random;
  /** What an earlier connection to the same peer has found. */
  readonly state?: ApiServerState | undefined;
  /** Called when the state changes, and only then. */
  readonly onChange: () => void;
  readonly onLatency: (seconds: number) => void;
}

/** Spreads the first probes of all peers after a start. */
const startSpreadMs = 2_000;
const lookEveryMs = 15_000;
/**
 * While the watches are open, an answer counts for this long: every second look sends nothing. A peer at rest gets one probe
 * in 30 s, and with the renewal of its watches less than 0.05 requests a second.
 */
const answerCountsMs = 25_000;
/** How soon a single failure is checked. */
const retryMs = 5_000;
const timeoutMs = 5_000;
/** One lost request is no outage. */
const failuresOfOutage = 2;

/** Asks the API server of one peer now and then whether it is alive, through the connection that exists. */
export class ApiServerProbe implements AsyncDisposable {
  readonly #options: ApiServerProbeOptions;
  readonly #stop = new AbortController();
  readonly #probing: Promise<void>;
  #state: ApiServerState;
  #failures = 0;
  #answeredMs = Number.NEGATIVE_INFINITY;

  constructor(options: ApiServerProbeOptions) {
    this.#options = options;
    this.#state = options.state ?? 'unknown';
    this.#probing = this.#probeOnAndOn();
  }

  get link(): PeerLink {
    return this.#options.link;
  }

  get state(): ApiServerState {
    return this.#state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#probing;
  }

  async #probeOnAndOn(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stop;
    const wait = (ms: number) => sleep(clock, ms, signal).catch(() => undefined);
    await wait(random() * startSpreadMs);
    while (!signal.aborted) {
      if (this.#isDue()) await this.#probe();
      const isSuspect = this.#failures > 0 && this.#failures < failuresOfOutage;
      await wait(jitter(random, isSuspect ? retryMs : lookEveryMs, 0.1));
    }
  }

  #isDue(): boolean {
    if (this.#failures > 0 || !this.link.isWatching()) return true;
    return this.#options.clock.monotonicMs() - this.#answeredMs >= answerCountsMs;
  }

  async #probe(): Promise<void> {
    const { clock, onLatency } = this.#options;
    const startedMs = clock.monotonicMs();
    const found = await this.#ask();
    if (this.#stop.signal.aborted) return;
    if (found !== 'silent') {
      this.#answeredMs = clock.monotonicMs();
      onLatency((this.#answeredMs - startedMs) / 1_000);
    }
    this.#conclude(found);
  }

  /** An answer to the identity is certain at once. Silence and illness have to last. */
  #conclude(found: ApiServerState): void {
    const isFailure = found === 'silent' || found === 'failing';
    this.#failures = isFailure ? this.#failures + 1 : 0;
    if (isFailure && this.#failures < failuresOfOutage) return;
    if (found === this.#state) return;
    this.#state = found;
    this.#options.onChange();
  }

  async #ask(): Promise<ApiServerState> {
    using limit = deadline(this.#options.clock, timeoutMs, 'The API server did not answer');
    const signal = AbortSignal.any([this.#stop.signal, limit.signal]);
    try {
      const response = await this.link.client.raw({ method: 'GET', path: '/livez' }, signal);
      // The status says it all: a body of any length is not read.
      response.discard();
      return 'ready';
    } catch (error) {
      if (isUnauthorized(error)) return 'unauthorized';
      // The server has authenticated the identity and grants it no health check.
      if (isForbidden(error)) return 'ready';
      return error instanceof ApiError ? 'failing' : 'silent';
    }
  }
}
