import { type Clock, formatTime, type Pod, type Stored } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import { GracefulStop } from '../hooks/graceful-stop.ts';
import { type Hook, type HookParts, runHook } from '../hooks/run-hook.ts';
import type { ContainerEvent } from '../kubelet-events.ts';
import type { ContainerHealth } from '../probes/container-health.ts';
import { ProbeHealth } from '../probes/probe-health.ts';
import { runProbe } from '../probes/run-probe.ts';
import { SimulatedHealth } from '../probes/simulated-health.ts';
import type { ContainerRole } from '../status/container-view.ts';
import type { ContainerProcess, Exit } from './container-process.ts';
import type { Simulation } from './simulation.ts';

export interface RunOptions {
  readonly clock: Clock;
  readonly spec: Container;
  readonly role: ContainerRole;
  readonly process: ContainerProcess;
  /** Whether there is something real to ask. */
  readonly isReal: boolean;
  readonly podIP: string;
  pod(): Stored<Pod>;
  simulation(): Simulation;
  onChange(): void;
  record(event: ContainerEvent): void;
}

/** One run of a container, from its start to its exit: its hooks, its probes, and how it is made to end. */
export class ContainerRun {
  readonly startedAt: string;
  readonly process: ContainerProcess;
  readonly #options: RunOptions;
  readonly #stop: GracefulStop;
  readonly #over = new AbortController();
  /** Absent until what is to be done after its start has been done. */
  #health: ContainerHealth | undefined;
  #wasKilled = false;

  constructor(options: RunOptions) {
    const { clock, process } = options;
    this.#options = options;
    this.process = process;
    this.startedAt = formatTime(clock.now());
    const hook = this.#hookOf('preStop');
    this.#stop = new GracefulStop({
      clock,
      process,
      ...(hook && { preStop: (signal) => this.#runPreStop(hook, signal) }),
    });
  }

  get started(): boolean {
    return this.#health?.started ?? false;
  }

  get ready(): boolean {
    return this.#health?.ready ?? false;
  }

  /** Whether a probe or a resize made it end, rather than itself. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  /** Resolves when it has ended. `onUp` is called when it shows as running, if it ever does. */
  async live(onUp: () => void): Promise<Exit> {
    const hook = this.#hookOf('postStart');
    if (!hook) this.#comeUp(onUp);
    else void this.#runPostStart(hook).then((isDone) => isDone && this.#comeUp(onUp));
    const exit = await this.process.exited;
    this.#over.abort();
    this.#health?.[Symbol.dispose]();
    this.#stop.cancel();
    return exit;
  }

  /** Ends it for the pod's sake; safe to repeat, with less grace. */
  stop(graceMs: number): void {
    if (this.#health instanceof ProbeHealth) this.#health.stopJudging();
    if (this.#stop.within(graceMs)) this.#tellKilling(`Stopping container ${this.#name}`);
  }

  /** Ends it for its own sake: what comes next is up to the restart policy. */
  kill(message: string, graceMs: number): void {
    this.#wasKilled = true;
    if (this.#stop.within(graceMs)) this.#tellKilling(message);
  }

  get #name(): string {
    return this.#options.spec.name;
  }

  /** What is simulated can be told nothing, only be waited for. */
  #hookOf(moment: 'postStart' | 'preStop'): Hook | undefined {
    const { spec, isReal } = this.#options;
    const hook: Hook | undefined = spec.lifecycle?.[moment];
    return isReal || hook?.sleep ? hook : undefined;
  }

  #comeUp(onUp: () => void): void {
    if (this.#over.signal.aborted) return;
    this.#health = this.#createHealth();
    onUp();
  }

  #createHealth(): ContainerHealth {
    const { clock, spec: container, onChange, simulation, record, isReal } = this.#options;
    if (!isReal) return new SimulatedHealth({ clock, container, simulation, onChange });
    return new ProbeHealth({
      clock,
      container,
      onChange,
      record,
      ask: (probe, signal) => runProbe(this.#hookParts(), probe, signal),
      onFailed: (kind) => this.#failProbe(kind),
    });
  }

  #failProbe(kind: 'Liveness' | 'Startup'): void {
    const { spec, role, pod } = this.#options;
    const { restartPolicy, terminationGracePeriodSeconds = 30 } = pod().spec ?? {};
    const probe = kind === 'Liveness' ? spec.livenessProbe : spec.startupProbe;
    const seconds = probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds;
    const failed = `${this.#name} failed ${kind.toLowerCase()} probe`;
    const fate = (spec.restartPolicy ?? restartPolicy) === 'Never' ? '' : ', will be restarted';
    const message = role === 'sidecar' ? `Init container ${failed}` : `Container ${failed}${fate}`;
    this.kill(message, seconds * 1000);
  }

  async #runPostStart(hook: Hook): Promise<boolean> {
    try {
      await runHook(this.#hookParts(), hook, this.#over.signal);
      return true;
    } catch {
      if (this.#over.signal.aborted) return false;
      const { record, pod } = this.#options;
      record({ type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed' });
      const { terminationGracePeriodSeconds = 30 } = pod().spec ?? {};
      if (this.#stop.within(terminationGracePeriodSeconds * 1000)) {
        this.#tellKilling('FailedPostStartHook');
      }
      return false;
    }
  }

  async #runPreStop(hook: Hook, signal: AbortSignal): Promise<void> {
    try {
      await runHook(this.#hookParts(), hook, signal);
    } catch {
      // One that took too long is given up on without a word.
      if (signal.aborted) return;
      const message = 'PreStopHook failed';
      this.#options.record({ type: 'Warning', reason: 'FailedPreStopHook', message });
    }
  }

  #hookParts(): HookParts {
    const { clock, spec: container, podIP, process } = this.#options;
    return { clock, container, podIP, process };
  }

  #tellKilling(message: string): void {
    this.#options.record({ type: 'Normal', reason: 'Killing', message });
  }
}
