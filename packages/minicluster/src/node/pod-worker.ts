import { formatTime, type Pod, type Stored } from '@liqo/kube';
import type { Container, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { ContainerRunner, type Provisions } from './containers/container-runner.ts';
import type { KubeletEvents } from './kubelet-events.ts';
import { mountPod } from './mount-pod.ts';
import { removePod } from './remove-pod.ts';
import { roleOf } from './status/container-view.ts';
import { forgePodStatus, type PodFacts } from './status/forge-pod-status.ts';
import { StatusWriter } from './status/status-writer.ts';
import { containerFiles } from './volumes/container-files.ts';
import type { PodPlace } from './volumes/downward-api.ts';
import type { VolumeFiles } from './volumes/mount-volumes.ts';
import { PodSources } from './volumes/pod-sources.ts';
import { expandVariables, resolveEnvironment } from './volumes/resolve-environment.ts';
import type { WorkerParts } from './worker-parts.ts';

const defaultGraceSeconds = 30;
const deadlineExceeded = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** One pod on the node, from the moment it is bound until its object is gone. */
export class PodWorker {
  readonly #parts: WorkerParts;
  readonly #writer: StatusWriter;
  readonly #runners: readonly ContainerRunner[];
  readonly #ending = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #startTime: string;
  #pod: Stored<Pod>;
  #podIP: string | undefined;
  #volumes: VolumeFiles = new Map();
  #failure: PodFacts['failure'];
  #isOver = false;
  #removing = false;
  #life: Promise<void> | undefined;

  constructor(parts: WorkerParts, pod: Stored<Pod>) {
    this.#parts = parts;
    this.#pod = pod;
    this.#startTime = pod.status?.startTime ?? formatTime(parts.clock.now());
    const signal = AbortSignal.any([parts.signal, this.#abandoned.signal]);
    const forge = (before: PodStatus) => this.#forgeStatus(before);
    this.#writer = new StatusWriter({ ...parts, pod, forge, signal });
    this.#runners = this.#createRunners(pod);
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

  start(): void {
    this.#life ??= this.#live();
    this.#heedDeletion();
  }

  /** A newer version of the pod's object. */
  update(pod: Stored<Pod>): void {
    this.#pod = pod;
    if (this.#isOver && !pod.metadata.deletionTimestamp) return;
    this.#writer.touch();
    this.#heedDeletion();
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
    const volumes = await mountPod(this.#parts, this.#pod, this.#place(), this.#ending.signal);
    if (volumes) await this.#runContainers(volumes);
    timer?.cancel();
    await this.#finish();
  }

  async #runContainers(volumes: VolumeFiles): Promise<void> {
    this.#podIP = this.#takeAddress();
    this.#volumes = volumes;
    this.#writer.touch();
    if (await this.#initialize()) {
      const mains = this.#runners.filter(({ role }) => role === 'main');
      await Promise.all(mains.map((runner) => runner.run()));
    }
    await this.#stopSidecars();
  }

  /** Whether the pod's work can begin. */
  async #initialize(): Promise<boolean> {
    for (const runner of this.#runners.filter(({ role }) => role !== 'main')) {
      if (this.#ending.signal.aborted) return false;
      const running = runner.run();
      await (runner.role === 'sidecar' ? runner.started : running);
      if (runner.role === 'init' && !runner.succeeded) return false;
    }
    return !this.#ending.signal.aborted;
  }

  /** They outlive the pod's work, and go in the reverse of the order in which they came. */
  async #stopSidecars(): Promise<void> {
    const sidecars = this.#runners.filter(({ role }) => role === 'sidecar');
    for (const sidecar of sidecars.toReversed()) await sidecar.stop(this.#graceMs());
  }

  async #finish(): Promise<void> {
    this.#isOver = true;
    this.#ending.abort();
    if (this.#podIP && !this.#pod.spec?.hostNetwork) this.#parts.addresses.release(this.#podIP);
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
    this.#parts.events.record(this.#pod, {
      type: 'Normal',
      reason: deadlineExceeded.reason,
      message: deadlineExceeded.message,
    });
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
    const { client, environment, signal } = this.#parts;
    const pod = this.#pod;
    const sources = new PodSources(client, pod.metadata.namespace ?? '', signal);
    const place = this.#place();
    const env = await resolveEnvironment({ pod, container, place, sources, common: environment });
    const words = [...(container.command ?? []).slice(1), ...(container.args ?? [])];
    const args = words.map((word) => expandVariables(word, env));
    return { args, env, files: containerFiles(container, this.#volumes) };
  }

  #createRunners(pod: Stored<Pod>): readonly ContainerRunner[] {
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    const parts = {
      ...this.#parts,
      pod: () => this.#pod,
      provide: (container: Container) => this.#provide(container),
      onChange: () => this.#writer.touch(),
      record: (event: Parameters<KubeletEvents['record']>[1]) =>
        this.#parts.events.record(this.#pod, event),
    };
    const create = (spec: Container, isInit: boolean) =>
      new ContainerRunner(parts, {
        spec,
        role: roleOf(spec, isInit),
        restartCount: earlierStarts(pod, spec.name),
      });
    return [
      ...initContainers.map((spec) => create(spec, true)),
      ...containers.map((spec) => create(spec, false)),
    ];
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
    };
    return forgePodStatus(facts, before, formatTime(this.#parts.clock.now()));
  }
}

/** A node that comes back starts its pods again, and counts that. */
function earlierStarts(pod: Stored<Pod>, container: string): number {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const before = [...containerStatuses, ...initContainerStatuses].find(
    ({ name }) => name === container,
  );
  return before?.containerID ? before.restartCount + 1 : 0;
}
