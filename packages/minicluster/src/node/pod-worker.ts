import { deepEqual, formatTime, type Pod, type Stored } from '@liqo/kube';
import type { Container, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerRunner, Provisions, RunnerParts } from './containers/container-runner.ts';
import { createEphemeral, createRunners } from './create-runner.ts';
import type { KubeletEvent } from './kubelet-events.ts';
import { removePod } from './remove-pod.ts';
import type { ResizeObstacle } from './resize/judge-resize.ts';
import type { ResizedContainer } from './resize/pod-allocation.ts';
import { PodResizer } from './resize/pod-resizer.ts';
import { forgePodStatus, type PodFacts } from './status/forge-pod-status.ts';
import { StatusWriter } from './status/status-writer.ts';
import type { PodPlace } from './volumes/downward-api.ts';
import { keepFresh } from './volumes/keep-fresh.ts';
import { PodVolumes } from './volumes/pod-volumes.ts';
import { expandVariables, resolveEnvironment } from './volumes/resolve-environment.ts';
import type { WorkerParts } from './worker-parts.ts';

/** The other pods of the node, as far as they matter to one. */
export interface PodNeighbours {
  /** Whether there is room for the pod as it wants to be. */
  judgeResize(pod: Stored<Pod>): ResizeObstacle | undefined;
  /** There may be more room than before. */
  onFreed(): void;
}

const defaultGraceSeconds = 30;
const deadlineExceeded = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** One pod on the node, from the moment it is taken in until its object is gone. */
export class PodWorker {
  readonly #parts: WorkerParts;
  readonly #neighbours: PodNeighbours;
  readonly #writer: StatusWriter;
  readonly #volumes: PodVolumes;
  readonly #resizer: PodResizer;
  readonly #runnerParts: RunnerParts;
  readonly #runners: ContainerRunner[];
  readonly #ending = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #startTime: string;
  #pod: Stored<Pod>;
  #podIP: string | undefined;
  #failure: PodFacts['failure'];
  #isOver = false;
  #removing = false;
  #life: Promise<void> | undefined;

  constructor(parts: WorkerParts, pod: Stored<Pod>, neighbours: PodNeighbours) {
    this.#parts = parts;
    this.#pod = pod;
    this.#neighbours = neighbours;
    this.#startTime = pod.status?.startTime ?? formatTime(parts.clock.now());
    const signal = AbortSignal.any([parts.signal, this.#abandoned.signal]);
    const forge = (before: PodStatus) => this.#forgeStatus(before);
    this.#writer = new StatusWriter({ ...parts, pod, forge, signal });
    this.#volumes = this.#createVolumes();
    this.#resizer = this.#createResizer(pod);
    this.#runnerParts = this.#createRunnerParts();
    this.#runners = createRunners(this.#runnerParts, pod);
  }

  get pod(): Stored<Pod> {
    return this.#pod;
  }

  /** As it was, or is about to be, written. */
  get status(): PodStatus {
    return this.#writer.status;
  }

  get containers(): readonly ContainerRunner[] {
    return this.#runners;
  }

  /** Whether nothing of it runs any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The pod as if it asked for no more than it has been given. */
  get allocatedPod(): Stored<Pod> {
    return this.#resizer.allocation.appliedTo(this.#pod);
  }

  start(): void {
    this.#life ??= this.#live();
    this.#heedDeletion();
  }

  /** A newer version of the pod's object. */
  update(pod: Stored<Pod>): void {
    const before = this.#pod;
    this.#pod = pod;
    if (this.#isOver && !pod.metadata.deletionTimestamp) return;
    this.#writer.touch();
    this.#heedDeletion();
    if (this.#ending.signal.aborted) return;
    this.#changeContainers();
    this.reconsiderSize();
    if (this.#podIP) this.#startEphemeral();
    if (!deepEqual(toldDownward(before), toldDownward(pod))) void this.#refreshVolumes();
  }

  /** There may be room for what it asked for. */
  reconsiderSize(): void {
    if (!this.#ending.signal.aborted) this.#resizer.consider(this.#pod);
  }

  /** The object is gone, or the node: nothing is left to tell anybody. */
  async abandon(): Promise<void> {
    this.#abandoned.abort();
    this.#ending.abort();
    await Promise.all(this.#runners.map((runner) => runner.abandon()));
    await this.#life;
  }

  async #live(): Promise<void> {
    const { clock } = this.#parts;
    this.#writer.touch();
    const deadline = this.#deadlineMs();
    const timer =
      deadline === undefined ? undefined : clock.after(deadline, () => this.#exceedDeadline());
    if (await this.#volumes.mount(this.#ending.signal)) await this.#runContainers();
    timer?.cancel();
    await this.#finish();
  }

  async #runContainers(): Promise<void> {
    this.#podIP = this.#takeAddress();
    this.#writer.touch();
    const refresh = () => this.#refreshVolumes();
    void keepFresh(this.#parts.clock, this.#pod, refresh, this.#ending.signal);
    this.#startEphemeral();
    if (await this.#initialize()) {
      const mains = this.#runners.filter(({ role }) => role === 'main');
      await Promise.all(mains.map((runner) => runner.run()));
    }
    await this.#stopHelpers();
  }

  /** Whether the pod's work can begin. */
  async #initialize(): Promise<boolean> {
    const inits = this.#runners.filter(({ role }) => role === 'init' || role === 'sidecar');
    for (const runner of inits) {
      if (this.#ending.signal.aborted) return false;
      const running = runner.run();
      await (runner.role === 'sidecar' ? runner.started : running);
      if (runner.role === 'init' && !runner.succeeded) return false;
    }
    return !this.#ending.signal.aborted;
  }

  /** Who came to look starts at once, and keeps nobody waiting. */
  #startEphemeral(): void {
    const added = createEphemeral(this.#runnerParts, this.#pod, this.#runners);
    this.#runners.push(...added);
    for (const runner of added) void runner.run();
  }

  /** Sidecars outlive the pod's work, and go in the reverse of the order in which they came. */
  async #stopHelpers(): Promise<void> {
    const ephemeral = this.#runners.filter(({ role }) => role === 'ephemeral');
    const stopping = ephemeral.map((runner) => runner.stop(this.#graceMs()));
    const sidecars = this.#runners.filter(({ role }) => role === 'sidecar');
    for (const sidecar of sidecars.toReversed()) await sidecar.stop(this.#graceMs());
    await Promise.all(stopping);
  }

  async #finish(): Promise<void> {
    this.#isOver = true;
    this.#ending.abort();
    if (this.#podIP && !this.#pod.spec?.hostNetwork) this.#parts.addresses.release(this.#podIP);
    this.#neighbours.onFreed();
    this.#writer.touch();
    await this.#writer.settle();
    await this.#remove();
  }

  #heedDeletion(): void {
    if (!this.#pod.metadata.deletionTimestamp) return;
    if (this.#isOver) void this.#remove();
    else void this.#end();
  }

  #exceedDeadline(): void {
    this.#failure = deadlineExceeded;
    this.#record({ type: 'Normal', ...deadlineExceeded });
    void this.#end();
  }

  /** Stops the work; `#live` goes on from there. */
  async #end(): Promise<void> {
    this.#ending.abort();
    this.#writer.touch();
    const working = this.#runners.filter(({ role }) => role !== 'sidecar');
    await Promise.all(working.map((runner) => runner.stop(this.#graceMs())));
  }

  async #remove(): Promise<void> {
    const { deletionTimestamp } = this.#pod.metadata;
    if (!deletionTimestamp || this.#removing || this.#abandoned.signal.aborted) return;
    this.#removing = true;
    await this.#writer.settle();
    await removePod(this.#parts, this.#pod);
  }

  async #provide(container: Container): Promise<Provisions> {
    const { environment, signal } = this.#parts;
    const pod = this.#pod;
    const sources = this.#volumes.sources(signal);
    const place = this.#place();
    const env = await resolveEnvironment({ pod, container, place, sources, common: environment });
    const words = [...(container.command ?? []).slice(1), ...(container.args ?? [])];
    const args = words.map((word) => expandVariables(word, env));
    return { args, env, files: this.#volumes.filesAtStart(container) };
  }

  async #refreshVolumes(): Promise<void> {
    if (!(await this.#volumes.refresh(this.#ending.signal))) return;
    for (const runner of this.#runners) {
      await runner.refresh(this.#volumes.filesNow(runner.view.spec));
    }
  }

  #changeContainers(): void {
    const { containers = [], initContainers = [] } = this.#pod.spec ?? {};
    for (const spec of [...initContainers, ...containers]) {
      this.#runners.find(({ name }) => name === spec.name)?.change(spec, this.#graceMs());
    }
  }

  #createVolumes(): PodVolumes {
    const { client, clock } = this.#parts;
    return new PodVolumes({
      client,
      clock,
      pod: () => this.#pod,
      place: () => this.#place(),
      onFailure: (message) => this.#record({ type: 'Warning', reason: 'FailedMount', message }),
    });
  }

  #createResizer(pod: Stored<Pod>): PodResizer {
    return new PodResizer(pod, {
      judge: (wanted) => this.#neighbours.judgeResize(wanted),
      onFreed: () => this.#neighbours.onFreed(),
      settle: () => this.#writer.settle(),
      actuate: (container) => this.#resizeContainer(container),
      isActuated: () => this.#runners.every(hasWhatIsAllocated),
      onChange: () => this.#writer.touch(),
      record: (event) => this.#record(event),
    });
  }

  #resizeContainer({ name, byRestart }: ResizedContainer): void {
    const runner = this.#runners.find((one) => one.name === name);
    runner?.resize(byRestart, this.#graceMs());
    this.#writer.touch();
  }

  #createRunnerParts(): RunnerParts {
    return {
      ...this.#parts,
      pod: () => this.#pod,
      podIP: () => this.#podIP,
      allocated: (container) => this.#resizer.allocation.of(container),
      provide: (container) => this.#provide(container),
      onChange: () => {
        this.#resizer.heed();
        this.#writer.touch();
      },
      record: (event) => this.#record(event),
    };
  }

  #record(event: KubeletEvent): void {
    this.#parts.events.record(this.#pod, event);
  }

  #place(): PodPlace {
    const { nodeName, hostIP } = this.#parts;
    return { nodeName, hostIP, podIP: this.#podIP };
  }

  #takeAddress(): string {
    return this.#pod.spec?.hostNetwork ? this.#parts.hostIP : this.#parts.addresses.take();
  }

  #graceMs(): number {
    const { deletionGracePeriodSeconds } = this.#pod.metadata;
    const { terminationGracePeriodSeconds } = this.#pod.spec ?? {};
    const seconds = deletionGracePeriodSeconds ?? terminationGracePeriodSeconds;
    return (seconds ?? defaultGraceSeconds) * 1000;
  }

  #deadlineMs(): number | undefined {
    const { activeDeadlineSeconds } = this.#pod.spec ?? {};
    if (activeDeadlineSeconds === undefined) return undefined;
    const activeMs = this.#parts.clock.now() - Date.parse(this.#startTime);
    return Math.max(0, activeDeadlineSeconds * 1000 - activeMs);
  }

  #forgeStatus(before: PodStatus): PodStatus {
    const facts: PodFacts = {
      pod: this.#pod,
      containers: this.#runners.map(({ view }) => view),
      hostIP: this.#parts.hostIP,
      podIP: this.#podIP,
      hasSandbox: this.#podIP !== undefined && !this.#isOver,
      startTime: this.#startTime,
      isEnding: this.#ending.signal.aborted,
      isOver: this.#isOver,
      failure: this.#failure,
      resize: this.#isOver ? [] : this.#resizer.conditions,
    };
    return forgePodStatus(facts, before, formatTime(this.#parts.clock.now()));
  }
}

function hasWhatIsAllocated({ isRunning, view }: ContainerRunner): boolean {
  return !isRunning || deepEqual(view.actual ?? {}, view.allocated ?? {});
}

/** What a pod may be told of itself while it runs. */
function toldDownward({ metadata }: Stored<Pod>): object {
  return { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} };
}
