import {
  type Client,
  type Clock,
  formatTime,
  keyOf,
  type Namespace,
  type Node,
  Pod,
  type Random,
  type Stored,
  sleep,
  strategicMergePatch,
} from '@liqo/kube';
import { chooseNode } from './choose-node.ts';
import { type ClusterChange, mayHelp, nodeChanged, podChanged } from './cluster-change.ts';
import { ClusterView } from './cluster-view.ts';
import { describeMisfit } from './describe-misfit.ts';
import { forgeUnschedulable } from './forge-unschedulable.ts';
import { forgePodInfo, type PodInfo } from './pod-info.ts';
import type { SchedulingEvents } from './scheduling-events.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import type { PodVolumes, VolumeBinder } from './volumes/volume-binder.ts';

export interface SchedulerParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly schedulerName: string;
  readonly events: SchedulingEvents;
  /** Absent where volumes are not served. */
  readonly volumes?: VolumeBinder | undefined;
  readonly signal: AbortSignal;
}

/** So many pods are being bound, or told that they cannot be, at a time. */
const maxWritesInFlight = 32;
const retryMs = 1_000;

/** Places pods one after the other, and writes down what it decided while it goes on with the next. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #cluster: ClusterView;
  readonly #queue = new SchedulingQueue();
  /** By key, the newest of every pod that is to get a node from here and, as far as was told, has none. */
  readonly #wanting = new Map<string, PodInfo>();
  readonly #writes = new Set<Promise<void>>();
  /** Pods that have a node and wait for their volumes there. */
  readonly #waits = new Set<Promise<void>>();
  #running: Promise<void> | undefined;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#cluster = new ClusterView(parts.volumes);
  }

  onNode(before: Stored<Node> | undefined, after: Stored<Node> | undefined): void {
    if (!after) {
      if (before) this.#cluster.removeNode(before.metadata.name);
      return;
    }
    if (!nodeChanged(before, after)) return;
    this.#cluster.setNode(after);
    this.#retry('node');
  }

  onNamespace(before: Stored<Namespace> | undefined, after: Stored<Namespace> | undefined): void {
    const name = (after ?? before)?.metadata.name ?? '';
    this.#cluster.setNamespace(name, after && (after.metadata.labels ?? {}));
  }

  onPod(before: Stored<Pod> | undefined, after: Stored<Pod> | undefined): void {
    if (!after || isFinished(after)) {
      if (before ?? after) this.#forget(before ?? (after as Stored<Pod>));
      return;
    }
    const pod = forgePodInfo(after);
    if (after.spec?.nodeName) this.#onPlaced(pod, after.spec.nodeName);
    else if (this.#isOurs(after)) this.#onUnplaced(before, pod);
  }

  /** A claim, a volume or a class has changed. */
  onVolume(): void {
    this.#retry('volume');
  }

  /** Tries everybody again, in case something was missed. */
  retryAll(): void {
    this.#queue.retry(() => true);
    this.#run();
  }

  /** Settles when nothing is being written any more. */
  async settle(): Promise<void> {
    await this.#running;
    await Promise.all(this.#waits);
    await Promise.all(this.#writes);
  }

  #isOurs({ spec }: Stored<Pod>): boolean {
    return (spec?.schedulerName || 'default-scheduler') === this.#parts.schedulerName;
  }

  #forget(pod: Stored<Pod>): void {
    const { key } = forgePodInfo(pod);
    this.#queue.remove(key);
    this.#wanting.delete(key);
    this.#parts.events.forget(pod);
    if (!this.#cluster.isPlaced(key)) return;
    this.#cluster.unplace(key);
    this.#retry('pod-gone');
  }

  #onPlaced(pod: PodInfo, nodeName: string): void {
    const isNew = !this.#cluster.isPlaced(pod.key);
    this.#queue.remove(pod.key);
    this.#wanting.delete(pod.key);
    this.#cluster.place(pod, nodeName);
    if (isNew) this.#retry('pod-placed');
  }

  #onUnplaced(before: Stored<Pod> | undefined, pod: PodInfo): void {
    const { metadata, spec } = pod.pod;
    if (metadata.deletionTimestamp || spec?.schedulingGates?.length) {
      this.#queue.remove(pod.key);
      this.#wanting.delete(pod.key);
      return;
    }
    this.#wanting.set(pod.key, pod);
    if (this.#cluster.isPlaced(pod.key)) return;
    if (this.#queue.isWaiting(pod.key) && before && !podChanged(before, pod.pod)) {
      this.#queue.refresh(pod);
      return;
    }
    this.#queue.offer(pod);
    this.#run();
  }

  #retry(change: ClusterChange): void {
    this.#queue.retry((rejectedBy) => mayHelp(change, rejectedBy));
    this.#run();
  }

  #run(): void {
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // What arrives in one go is placed in the order of priority, not of arrival.
    await Promise.resolve();
    for (let pod = this.#queue.take(); pod; pod = this.#queue.take()) {
      if (this.#parts.signal.aborted) break;
      this.#schedule(pod);
      if (this.#writes.size >= maxWritesInFlight) await Promise.race(this.#writes);
    }
    // In the same turn in which nothing was left, so that nobody who comes now is overlooked.
    this.#running = undefined;
  }

  #schedule(pod: PodInfo): void {
    const choice = chooseNode(pod, this.#cluster, this.#parts.random);
    if ('nodeName' in choice) {
      this.#cluster.place(pod, choice.nodeName);
      this.#bindWithVolumes(pod, choice.nodeName);
      this.#retry('pod-placed');
      return;
    }
    this.#queue.setAside(pod, choice.rejectedBy);
    this.#write(this.#refuse(pod.pod, describeMisfit(pod.pod, choice.rejections, choice.refusal)));
  }

  #bindWithVolumes(pod: PodInfo, nodeName: string): void {
    const node = this.#cluster.nodes.find(({ name }) => name === nodeName);
    const { volumes: binder } = this.#parts;
    const volumes = node && binder?.reserve(pod.pod, node.node);
    if (!binder || !volumes) {
      this.#write(this.#bind(pod, nodeName));
      return;
    }
    const waiting = this.#prepare(pod, volumes, binder).finally(() => this.#waits.delete(waiting));
    this.#waits.add(waiting);
  }

  async #prepare(pod: PodInfo, volumes: PodVolumes, binder: VolumeBinder): Promise<void> {
    try {
      await binder.prepare(volumes, () => this.#stillWants(pod) !== undefined);
    } catch {
      await this.#undo(pod);
      return;
    }
    this.#write(this.#bind(pod, volumes.node.metadata.name));
  }

  #write(writing: Promise<void>): void {
    const tracked = writing.finally(() => this.#writes.delete(tracked));
    this.#writes.add(tracked);
  }

  async #bind(pod: PodInfo, nodeName: string): Promise<void> {
    const { client, events, signal } = this.#parts;
    const { namespace, name } = pod.pod.metadata;
    try {
      await client.bind({ namespace, name }, nodeName, signal);
    } catch {
      await this.#undo(pod);
      return;
    }
    const note = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    const event = { type: 'Normal', reason: 'Scheduled', action: 'Binding', note } as const;
    await events.record(pod.pod, event, signal).catch(eventsAreNotWorthRetrying);
  }

  /** Whatever the refusal says, only the watch knows whether the pod is gone or has a node: until then it is tried again. */
  async #undo(pod: PodInfo): Promise<void> {
    const { clock, signal } = this.#parts;
    if (!this.#stillWants(pod)) return;
    this.#cluster.unplace(pod.key);
    await sleep(clock, retryMs, signal).catch(() => undefined);
    const newest = this.#stillWants(pod);
    if (!newest || this.#cluster.isPlaced(pod.key) || signal.aborted) return;
    this.#queue.offer(newest);
    this.#run();
  }

  /** The newest version of this very pod, not of a later one of the same name. */
  #stillWants(pod: PodInfo): PodInfo | undefined {
    const newest = this.#wanting.get(pod.key);
    return newest?.pod.metadata.uid === pod.pod.metadata.uid ? newest : undefined;
  }

  async #refuse(pod: Stored<Pod>, message: string): Promise<void> {
    const { client, clock, events, signal } = this.#parts;
    const event = {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: message,
    } as const;
    await events.record(pod, event, signal).catch(eventsAreNotWorthRetrying);
    const condition = forgeUnschedulable(pod, message, formatTime(clock.now()));
    if (!condition) return;
    const patch = strategicMergePatch({ status: { conditions: [condition] } });
    // The next try writes it, if there is still a pod to write it to.
    await client
      .patch(Pod, keyOf(pod), patch, { subresource: 'status', signal })
      .catch(() => undefined);
  }
}

function isFinished({ status }: Stored<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function eventsAreNotWorthRetrying(): void {}
