import type { Clock, Timer } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import type { Simulation } from '../containers/simulation.ts';
import type { ContainerHealth } from './container-health.ts';

export interface SimulatedHealthOptions {
  readonly clock: Clock;
  readonly container: Container;
  /** As of now: some of it may be changed at any time. */
  simulation(): Simulation;
  onChange(): void;
}

/** The health of a container that is simulated: nobody can be asked, so annotations say it. */
export class SimulatedHealth implements ContainerHealth {
  readonly #options: SimulatedHealthOptions;
  readonly #timer: Timer | undefined;
  #isDue: boolean;
  readonly started = true;

  constructor(options: SimulatedHealthOptions) {
    const { clock, container, simulation, onChange } = options;
    this.#options = options;
    const probeMs = (container.readinessProbe?.initialDelaySeconds ?? 0) * 1000;
    const delayMs = simulation().readyAfterMs ?? probeMs;
    this.#isDue = delayMs <= 0;
    if (this.#isDue) return;
    this.#timer = clock.after(delayMs, () => {
      this.#isDue = true;
      onChange();
    });
  }

  get ready(): boolean {
    return this.#isDue && this.#options.simulation().ready;
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }
}
