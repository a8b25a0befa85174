import {
  type Clock,
  formatTime,
  keyOf,
  type Pod,
  type Random,
  type Stored,
  sleep,
  type Timer,
} from '@liqo/kube';
import type { Container, ContainerState } from 'kubernetes-types/core/v1.d.ts';
import type { KubeletEvent } from '../kubelet-events.ts';
import type { ContainerRole, ContainerView } from '../status/container-view.ts';
import { shouldRestart } from '../status/should-restart.ts';
import { ContainerLog } from './container-log.ts';
import type { ContainerProcess, Exit, LaunchSpec } from './container-process.ts';
import { CrashBackoff, formatBackoff, PullBackoff } from './crash-backoff.ts';
import type { ImageRegistry } from './image-registry.ts';
import { launchContainer } from './launch-container.ts';
import { readSimulation, type Simulation } from './simulation.ts';

/** What a container is given: its variables, its files, and the words of its command line. */
export type Provisions = Pick<LaunchSpec, 'args' | 'env' | 'files'>;

export interface RunnerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly images: ImageRegistry;
  /** The newest version of it. */
  pod(): Stored<Pod>;
  /** Throws when something that the container needs is not there (yet). */
  provide(container: Container): Promise<Provisions>;
  onChange(): void;
  record(event: KubeletEvent): void;
}

export interface RunnerOptions {
  readonly spec: Container;
  readonly role: ContainerRole;
  /** How often it had been started on this node before this agent came. */
  readonly restartCount: number;
}

/** How soon a container that lacks something is tried again. */
const provisionRetryMs = 10_000;

/** One container of a pod: started, watched, and started again as the pod's restart policy says. */
export class ContainerRunner {
  readonly #parts: RunnerParts;
  readonly #spec: Container;
  readonly #role: ContainerRole;
  readonly #stop = new AbortController();
  #state: ContainerState;
  #lastState: ContainerState = {};
  #restartCount: number;
  #containerID: string | undefined;
  #process: ContainerProcess | undefined;
  #provisions: Provisions | undefined;
  #log: ContainerLog | undefined;
  #previousLog: ContainerLog | undefined;
  #ready = false;
  #running: Promise<void> | undefined;
  #markStarted: () => void = () => {};
  /** Settles when it runs for the first time, or never will. */
  readonly started: Promise<void>;

  constructor(parts: RunnerParts, options: RunnerOptions) {
    this.#parts = parts;
    this.#spec = options.spec;
    this.#role = options.role;
    this.#restartCount = options.restartCount;
    const hasInits = (parts.pod().spec?.initContainers ?? []).length > 0;
    this.#state = { waiting: { reason: hasInits ? 'PodInitializing' : 'ContainerCreating' } };
    this.started = new Promise((resolve) => {
      this.#markStarted = resolve;
    });
  }

  get name(): string {
    return this.#spec.name;
  }

  get role(): ContainerRole {
    return this.#role;
  }

  get view(): ContainerView {
    return {
      spec: this.#spec,
      role: this.#role,
      state: this.#state,
      lastState: this.#lastState,
      restartCount: this.#restartCount,
      ready: this.#isReady(),
      started: this.#state.running !== undefined,
      containerID: this.#containerID,
    };
  }

  /** Whether it has ended as it should. */
  get succeeded(): boolean {
    return this.#state.terminated?.exitCode === 0;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Of its last start; what commands run in it see. */
  get provisions(): Provisions | undefined {
    return this.#provisions;
  }

  /** Of the run that goes on or was the last, or of the one before. */
  log(previous: boolean): ContainerLog | undefined {
    return previous ? this.#previousLog : this.#log;
  }

  /** Resolves when it has ended and will not be started again. */
  run(): Promise<void> {
    this.#running ??= this.#keepRunning().finally(() => this.#markStarted());
    return this.#running;
  }

  /** Ends it for good: it is asked first, and made to after `graceMs`. Safe to repeat, with less grace. */
  async stop(graceMs: number): Promise<void> {
    this.#stop.abort();
    const process = this.#process;
    if (process) {
      const message = `Stopping container ${this.name}`;
      this.#record('Normal', 'Killing', message);
      process.terminate();
    }
    const timer = this.#parts.clock.after(graceMs, () => process?.kill());
    await this.#running;
    timer.cancel();
  }

  /** Ends it without a word. */
  async abandon(): Promise<void> {
    this.#stop.abort();
    this.#process?.kill();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const backoff = new CrashBackoff();
    const { clock } = this.#parts;
    for (let run = 0; !this.#stop.signal.aborted; run++) {
      const provisions = await this.#prepare();
      if (!provisions) return;
      const startedMs = clock.monotonicMs();
      const { exitCode } = await this.#live(provisions, run);
      const { restartPolicy } = this.#parts.pod().spec ?? {};
      if (!shouldRestart(this.#role, restartPolicy, exitCode)) return;
      await this.#backOff(backoff.next(clock.monotonicMs() - startedMs));
    }
  }

  /** Undefined when it was stopped meanwhile. */
  async #prepare(): Promise<Provisions | undefined> {
    await this.#pull();
    while (!this.#stop.signal.aborted) {
      try {
        const provisions = await this.#parts.provide(this.#spec);
        const { annotations } = this.#parts.pod().metadata;
        const { startDelayMs } = readSimulation(annotations, this.name);
        return (await this.#pause(startDelayMs)) ? provisions : undefined;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.#wait('CreateContainerConfigError', message);
        this.#record('Warning', 'Failed', `Error: ${message}`);
        await this.#pause(provisionRetryMs);
      }
    }
    return undefined;
  }

  async #pull(): Promise<void> {
    const { image } = this.#spec;
    const backoff = new PullBackoff();
    while (this.#pullFails()) {
      const fact = `failed to pull and unpack image "${image}": not found`;
      this.#record('Normal', 'Pulling', `Pulling image "${image}"`);
      this.#record('Warning', 'Failed', `Failed to pull image "${image}": ${fact}`);
      this.#record('Warning', 'Failed', 'Error: ErrImagePull');
      this.#wait('ErrImagePull', fact);
      if (!(await this.#pause(pullErrorMs))) return;
      this.#wait('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${fact}`);
      this.#record('Normal', 'BackOff', `Back-off pulling image "${image}"`);
      this.#record('Warning', 'Failed', 'Error: ImagePullBackOff');
      if (!(await this.#pause(backoff.next() - pullErrorMs))) return;
    }
    if (this.#stop.signal.aborted) return;
    const present = `Container image "${image}" already present on machine`;
    this.#record('Normal', 'Pulled', `${present} and can be accessed by the pod`);
  }

  async #live(provisions: Provisions, run: number): Promise<Exit> {
    const { clock } = this.#parts;
    this.#begin(provisions);
    const log = new ContainerLog(clock);
    this.#previousLog = this.#log;
    this.#log = log;
    const pod = this.#parts.pod();
    const launch = { ...provisions, pod, container: this.name, log };
    const process = launchContainer(this.#parts, this.#spec.image ?? '', launch, run);
    this.#process = process;
    const readiness = this.#becomeReady();
    this.#markStarted();
    const exit = await process.exited;
    readiness?.cancel();
    log.end();
    this.#end(exit);
    return exit;
  }

  #begin(provisions: Provisions): void {
    const { clock, random } = this.#parts;
    if (this.#containerID !== undefined) this.#restartCount += 1;
    if (this.#state.terminated) this.#lastState = this.#state;
    this.#containerID = `containerd://${randomHex(random, 64)}`;
    this.#provisions = provisions;
    this.#state = { running: { startedAt: formatTime(clock.now()) } };
    this.#record('Normal', 'Created', 'Container created');
    this.#record('Normal', 'Started', 'Container started');
    this.#parts.onChange();
  }

  #end({ exitCode }: Exit): void {
    this.#process = undefined;
    this.#ready = false;
    const containerID = this.#containerID ?? '';
    const startedAt = this.#state.running?.startedAt ?? '';
    this.#state = {
      terminated: {
        exitCode,
        reason: exitCode === 0 ? 'Completed' : 'Error',
        startedAt,
        finishedAt: formatTime(this.#parts.clock.now()),
        containerID,
      },
    };
    this.#parts.onChange();
  }

  async #backOff(delayMs: number): Promise<void> {
    if (delayMs === 0 || this.#stop.signal.aborted) return;
    const ended = this.#state;
    const before = this.#lastState;
    this.#lastState = ended;
    const { namespace, name } = keyOf(this.#parts.pod());
    const { uid } = this.#parts.pod().metadata;
    const pod = `${name}_${namespace}(${uid})`;
    const message = `back-off ${formatBackoff(delayMs)} restarting failed container=${this.name} pod=${pod}`;
    this.#wait('CrashLoopBackOff', message);
    const told = `Back-off restarting failed container ${this.name} in pod ${pod}`;
    this.#record('Warning', 'BackOff', told);
    if (await this.#pause(delayMs)) return;
    // It will not run again: how it ended is its state.
    this.#state = ended;
    this.#lastState = before;
    this.#parts.onChange();
  }

  #becomeReady(): Timer | undefined {
    const { readyAfterMs } = this.#simulation();
    const probeMs = (this.#spec.readinessProbe?.initialDelaySeconds ?? 0) * 1000;
    const delayMs = readyAfterMs ?? probeMs;
    const turn = () => {
      this.#ready = true;
      this.#parts.onChange();
    };
    if (delayMs > 0) return this.#parts.clock.after(delayMs, turn);
    turn();
    return undefined;
  }

  #isReady(): boolean {
    if (this.#role === 'init') return this.succeeded;
    return this.#ready && this.#state.running !== undefined && this.#simulation().ready;
  }

  #pullFails(): boolean {
    return !this.#stop.signal.aborted && this.#simulation().pullFails;
  }

  /** Annotations that mean nothing keep it from being started; after that they mean nothing. */
  #simulation(): Simulation {
    try {
      return readSimulation(this.#parts.pod().metadata.annotations, this.name);
    } catch {
      return readSimulation(undefined, this.name);
    }
  }

  #wait(reason: string, message: string): void {
    this.#state = { waiting: { reason, message } };
    this.#parts.onChange();
  }

  #record(type: KubeletEvent['type'], reason: string, message: string): void {
    const list = this.#role === 'main' ? 'containers' : 'initContainers';
    this.#parts.record({ type, reason, message, fieldPath: `spec.${list}{${this.name}}` });
  }

  /** Whether the time passed before it was stopped. */
  #pause(ms: number): Promise<boolean> {
    if (ms <= 0) return Promise.resolve(!this.#stop.signal.aborted);
    return sleep(this.#parts.clock, ms, this.#stop.signal).then(
      () => true,
      () => false,
    );
  }
}

/** How long a failed pull shows as such before it shows as waiting for the next one. */
const pullErrorMs = 1_000;

function randomHex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}
