import type { Clock } from '@liqo/kube';
import type { Container, Probe } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerEvent } from '../kubelet-events.ts';
import type { ContainerHealth } from './container-health.ts';
import { type ProbeKind, ProbeWorker } from './probe-worker.ts';
import type { ProbeAnswer } from './run-probe.ts';

export interface ProbeHealthOptions {
  readonly clock: Clock;
  readonly container: Container;
  ask(probe: Probe, signal: AbortSignal): Promise<ProbeAnswer>;
  onChange(): void;
  /** It has failed for good, and is to be killed. */
  onFailed(kind: 'Liveness' | 'Startup'): void;
  record(event: ContainerEvent): void;
}

/** The health of a container that runs for real: what its probes find. The startup probe holds back the others. */
export class ProbeHealth implements ContainerHealth {
  readonly #options: ProbeHealthOptions;
  readonly #workers = new Map<ProbeKind, ProbeWorker>();
  #started: boolean;
  #ready: boolean;

  constructor(options: ProbeHealthOptions) {
    const { startupProbe, livenessProbe, readinessProbe } = options.container;
    this.#options = options;
    this.#started = !startupProbe;
    this.#ready = !readinessProbe;
    this.#add('Startup', startupProbe, (verdict) => this.#onStartup(verdict));
    this.#add('Liveness', livenessProbe, (verdict) => this.#onLiveness(verdict));
    this.#add('Readiness', readinessProbe, (verdict) => this.#onReadiness(verdict));
    for (const worker of this.#workers.values()) worker.trigger();
  }

  get started(): boolean {
    return this.#started;
  }

  get ready(): boolean {
    return this.#started && this.#ready;
  }

  /** A pod on its way out is asked no more whether it lives, only whether it can take work. */
  stopJudging(): void {
    this.#workers.get('Startup')?.stop();
    this.#workers.get('Liveness')?.stop();
  }

  [Symbol.dispose](): void {
    for (const worker of this.#workers.values()) worker.stop();
  }

  #add(
    kind: ProbeKind,
    probe: Probe | undefined,
    onVerdict: (verdict: 'failure' | 'success') => void,
  ): void {
    if (!probe) return;
    const { clock, ask, record } = this.#options;
    const mayAsk = () => kind === 'Startup' || this.#started;
    this.#workers.set(
      kind,
      new ProbeWorker({ clock, kind, probe, mayAsk, ask, onVerdict, record }),
    );
  }

  #onStartup(verdict: 'failure' | 'success'): void {
    this.#workers.get('Startup')?.stop();
    if (verdict === 'failure') {
      this.#options.onFailed('Startup');
      return;
    }
    this.#started = true;
    this.#options.onChange();
    this.#workers.get('Readiness')?.trigger();
  }

  #onLiveness(verdict: 'failure' | 'success'): void {
    if (verdict === 'success') return;
    this.#workers.get('Liveness')?.stop();
    this.#options.onFailed('Liveness');
  }

  #onReadiness(verdict: 'failure' | 'success'): void {
    const ready = verdict === 'success';
    if (ready === this.#ready) return;
    this.#ready = ready;
    this.#options.onChange();
  }
}
