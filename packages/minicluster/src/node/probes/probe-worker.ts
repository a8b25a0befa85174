import type { Clock, Timer } from '@liqo/kube';
import type { Probe } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerEvent } from '../kubelet-events.ts';
import { ProbeTally } from './probe-tally.ts';
import type { ProbeAnswer } from './run-probe.ts';

export type ProbeKind = 'Liveness' | 'Readiness' | 'Startup';

export interface ProbeWorkerOptions {
  readonly clock: Clock;
  readonly kind: ProbeKind;
  readonly probe: Probe;
  /** Whether it may ask now; if not, it looks again at its next turn. */
  mayAsk(): boolean;
  /** Gives up when the signal aborts. */
  ask(probe: Probe, signal: AbortSignal): Promise<ProbeAnswer>;
  onVerdict(verdict: 'failure' | 'success'): void;
  record(event: ContainerEvent): void;
}

/** As often as the kubelet tries to ask before it gives up for this turn. */
const maxAttempts = 3;

/** One probe of one run of a container: asks at once, then every period, until it is stopped. */
export class ProbeWorker {
  readonly #options: ProbeWorkerOptions;
  readonly #tally: ProbeTally;
  readonly #startedMs: number;
  readonly #stopped = new AbortController();
  #timer: Timer | undefined;
  #isAsking = false;

  constructor(options: ProbeWorkerOptions) {
    this.#options = options;
    this.#tally = new ProbeTally(options.probe);
    this.#startedMs = options.clock.monotonicMs();
  }

  /** Asks now, whenever the next turn would have been; the period counts from here. */
  trigger(): void {
    const { clock, probe } = this.#options;
    this.#timer?.cancel();
    if (this.#stopped.signal.aborted) return;
    this.#timer = clock.after((probe.periodSeconds ?? 10) * 1000, () => this.trigger());
    void this.#turn();
  }

  stop(): void {
    this.#stopped.abort();
    this.#timer?.cancel();
  }

  async #turn(): Promise<void> {
    const { clock, probe, mayAsk } = this.#options;
    const ranSeconds = Math.floor((clock.monotonicMs() - this.#startedMs) / 1000);
    const isEarly = ranSeconds < (probe.initialDelaySeconds ?? 0);
    if (isEarly || this.#isAsking || !mayAsk()) return;
    this.#isAsking = true;
    const answer = await this.#ask();
    this.#isAsking = false;
    if (!answer || this.#stopped.signal.aborted) return;
    this.#tell(answer);
    const verdict = this.#tally.count(answer.result === 'failure' ? 'failure' : 'success');
    if (verdict) this.#options.onVerdict(verdict);
  }

  /** Undefined when it could not ask, which is not held against the container. */
  async #ask(): Promise<ProbeAnswer | undefined> {
    const { ask, probe, kind, record } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(probe, this.#stopped.signal);
      } catch (error) {
        if (attempt < maxAttempts) continue;
        const fact = error instanceof Error ? error.message : String(error);
        const message = `${kind} probe errored and resulted in unknown state: ${fact}`;
        if (!this.#stopped.signal.aborted)
          record({ type: 'Warning', reason: 'Unhealthy', message });
        return undefined;
      }
    }
  }

  #tell({ result, output }: ProbeAnswer): void {
    const { kind, record } = this.#options;
    if (result === 'failure') {
      record({
        type: 'Warning',
        reason: 'Unhealthy',
        message: `${kind} probe failed: ${output}`,
      });
    }
    if (result === 'warning') {
      record({
        type: 'Warning',
        reason: 'ProbeWarning',
        message: `${kind} probe warning: ${output}`,
      });
    }
  }
}
