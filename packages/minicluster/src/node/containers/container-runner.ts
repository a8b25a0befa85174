import { type Clock, keyOf, type Pod, type Random, type Stored, sleep } from '@liqo/kube';
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerEvent, KubeletEvent } from '../kubelet-events.ts';
import { type ContainerRole, type ContainerView, listOf } from '../status/container-view.ts';
import { shouldRestart } from '../status/should-restart.ts';
import { ContainerLog } from './container-log.ts';
import { type Exit, killed, type LaunchSpec } from './container-process.ts';
import { ContainerRecord } from './container-record.ts';
import { ContainerRun } from './container-run.ts';
import { CrashBackoff, formatBackoff } from './crash-backoff.ts';
import type { ImageRegistry } from './image-registry.ts';
import { launchContainer } from './launch-container.ts';
import { pullImage } from './pull-image.ts';
import { readSimulation, type Simulation } from './simulation.ts';

/** What a container is given: its variables, its files, and the words of its command line. */
export type Provisions = Pick<LaunchSpec, 'args' | 'env' | 'files'>;

export interface RunnerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly images: ImageRegistry;
  /** The newest version of it. */
  pod(): Stored<Pod>;
  podIP(): string | undefined;
  /** What the node has set aside for the container. */
  allocated(container: Container): ResourceRequirements;
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

interface RunEnd extends Exit {
  /** For its own sake, not the pod's. */
  readonly wasKilled: boolean;
}

/** How soon a container that lacks something is tried again. */
const provisionRetryMs = 10_000;

/** One container of a pod: started, watched, and started again as the pod's restart policy says. */
export class ContainerRunner {
  readonly #parts: RunnerParts;
  readonly #role: ContainerRole;
  readonly #stop = new AbortController();
  readonly #record: ContainerRecord;
  readonly #backoff = new CrashBackoff();
  #spec: Container;
  #run: ContainerRun | undefined;
  #isReplaced = false;
  #actual: ResourceRequirements | undefined;
  #provisions: (Provisions & { readonly files: Map<string, string> }) | undefined;
  #log: ContainerLog | undefined;
  #previousLog: ContainerLog | undefined;
  #running: Promise<void> | undefined;
  #endedMs: number | undefined;
  #markStarted: () => void = () => {};
  /** Settles when it has come up for the first time, or never will. */
  readonly started: Promise<void>;

  constructor(parts: RunnerParts, { spec, role, restartCount }: RunnerOptions) {
    this.#parts = parts;
    this.#spec = spec;
    this.#role = role;
    const hasInits = (parts.pod().spec?.initContainers ?? []).length > 0;
    const isLater = hasInits && role !== 'ephemeral';
    this.#record = new ContainerRecord(
      isLater ? 'PodInitializing' : 'ContainerCreating',
      restartCount,
    );
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
    const { state, lastState, restartCount, containerID } = this.#record;
    return {
      spec: this.#spec,
      role: this.#role,
      state,
      lastState,
      restartCount,
      containerID,
      ready: this.#role === 'init' ? this.succeeded : (this.#run?.ready ?? false),
      started: this.#run?.started ?? false,
      allocated: this.#parts.allocated(this.#spec),
      actual: this.#actual,
    };
  }

  /** Whether it has ended as it should. */
  get succeeded(): boolean {
    return this.#record.state.terminated?.exitCode === 0;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Of its last start, with its files as they are now; what commands run in it see. */
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
    this.#run?.stop(graceMs);
    await this.#running;
  }

  /** Ends it without a word. */
  async abandon(): Promise<void> {
    this.#stop.abort();
    this.#run?.process.kill();
    await this.#running;
  }

  /** A newer version of its spec. Another image means a new start, whatever the restart policy says. */
  change(spec: Container, graceMs: number): void {
    const isOther = spec.image !== this.#spec.image;
    this.#spec = spec;
    if (!isOther || !this.#run || this.#role === 'init') return;
    this.#isReplaced = true;
    this.#run.kill(`Container ${this.name} definition changed, will be restarted`, graceMs);
  }

  /** Gives the run that goes on what has been set aside for it, by a new start if that is what it takes. */
  resize(byRestart: boolean, graceMs: number): void {
    if (!this.#run) return;
    if (byRestart) this.#run.kill(`Container ${this.name} resize requires restart`, graceMs);
    else this.#actual = this.#parts.allocated(this.#spec);
  }

  /** Gives the run that goes on the files as they are now. */
  async refresh(files: ReadonlyMap<string, string>): Promise<void> {
    const provisions = this.#provisions;
    if (!provisions || !this.#run) return;
    await this.#run.process.refresh?.(files);
    provisions.files.clear();
    for (const [path, content] of files) provisions.files.set(path, content);
  }

  async #keepRunning(): Promise<void> {
    for (let run = 0; !this.#stop.signal.aborted; run++) {
      const provisions = await this.#prepare();
      if (!provisions) return;
      const startedMs = this.#parts.clock.monotonicMs();
      const end = await this.#live(provisions, run);
      const sinceMs = this.#sinceEnd(end.wasKilled);
      this.#endedMs = this.#parts.clock.monotonicMs();
      if (!this.#runsAgain(end)) return;
      if (sinceMs !== undefined) await this.#backOff(this.#endedMs - startedMs, sinceMs);
    }
  }

  /** What is killed for its own sake has not done its work, whatever it says. */
  #runsAgain({ exitCode, wasKilled }: RunEnd): boolean {
    const { restartPolicy } = this.#parts.pod().spec ?? {};
    const isReplaced = this.#isReplaced;
    this.#isReplaced = false;
    const code = wasKilled ? killed.exitCode : exitCode;
    return isReplaced || shouldRestart(this.#role, restartPolicy, code);
  }

  /** The kubelet replaces what it kills in one go, and counts from the end of the run before, if there was one. */
  #sinceEnd(wasKilled: boolean): number | undefined {
    if (!wasKilled) return 0;
    return this.#endedMs === undefined
      ? undefined
      : this.#parts.clock.monotonicMs() - this.#endedMs;
  }

  /** Undefined when it was stopped meanwhile. */
  async #prepare(): Promise<Provisions | undefined> {
    const pull = {
      image: () => this.#spec.image ?? '',
      fails: () => this.#simulation().pullFails,
      pause: (ms: number) => this.#pause(ms),
      wait: (reason: string, message: string) => this.#wait(reason, message),
      record: (event: ContainerEvent) => this.#tell(event),
    };
    if (!(await pullImage(pull))) return undefined;
    while (!this.#stop.signal.aborted) {
      try {
        const provisions = await this.#parts.provide(this.#spec);
        const { annotations } = this.#parts.pod().metadata;
        const { startDelayMs } = readSimulation(annotations, this.name);
        return (await this.#pause(startDelayMs)) ? provisions : undefined;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.#wait('CreateContainerConfigError', message);
        this.#tell({ type: 'Warning', reason: 'Failed', message: `Error: ${message}` });
        await this.#pause(provisionRetryMs);
      }
    }
    return undefined;
  }

  async #live(provisions: Provisions, count: number): Promise<RunEnd> {
    const run = this.#start(provisions, count);
    const exit = await run.live(() => {
      this.#record.run(run.startedAt);
      this.#heedHealth();
    });
    this.#log?.end();
    this.#run = undefined;
    this.#record.end(exit, run.startedAt, this.#parts.clock.now());
    this.#parts.onChange();
    return { ...exit, wasKilled: run.wasKilled };
  }

  #start(given: Provisions, count: number): ContainerRun {
    const { clock, random, images, pod } = this.#parts;
    const { image = '' } = this.#spec;
    const provisions = { ...given, files: new Map(given.files) };
    const log = new ContainerLog(clock);
    this.#provisions = provisions;
    this.#previousLog = this.#log;
    this.#log = log;
    this.#record.create(random);
    this.#actual = this.#parts.allocated(this.#spec);
    const launch = { ...provisions, pod: pod(), container: this.name, log };
    this.#tell({ type: 'Normal', reason: 'Created', message: 'Container created' });
    this.#tell({ type: 'Normal', reason: 'Started', message: 'Container started' });
    const run = new ContainerRun({
      clock,
      pod,
      onChange: () => this.#heedHealth(),
      spec: this.#spec,
      role: this.#role,
      process: launchContainer(this.#parts, image, launch, count),
      isReal: images.has(image),
      podIP: this.#parts.podIP() ?? '',
      simulation: () => this.#simulation(),
      record: (event) => this.#tell(event),
    });
    this.#run = run;
    return run;
  }

  #heedHealth(): void {
    if (this.#run?.started) this.#markStarted();
    this.#parts.onChange();
  }

  async #backOff(ranMs: number, sinceMs: number): Promise<void> {
    const { wholeMs, leftMs } = this.#backoff.next(ranMs, sinceMs);
    if (leftMs === 0 || this.#stop.signal.aborted) return;
    const { namespace, name } = keyOf(this.#parts.pod());
    const { uid } = this.#parts.pod().metadata;
    const pod = `${name}_${namespace}(${uid})`;
    const delay = formatBackoff(wholeMs);
    const giveUp = this.#record.holdBack(
      `back-off ${delay} restarting failed container=${this.name} pod=${pod}`,
    );
    this.#parts.onChange();
    const message = `Back-off restarting failed container ${this.name} in pod ${pod}`;
    this.#tell({ type: 'Warning', reason: 'BackOff', message });
    if (await this.#pause(leftMs)) return;
    giveUp();
    this.#parts.onChange();
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
    this.#record.wait(reason, message);
    this.#parts.onChange();
  }

  #tell(event: ContainerEvent): void {
    this.#parts.record({ ...event, fieldPath: `spec.${listOf(this.#role)}{${this.name}}` });
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
