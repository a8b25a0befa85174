import { keyOf, keyString, type Pod, type Stored } from '@liqo/kube';
import { NodeInfo } from '../scheduler/node-info.ts';
import { forgePodInfo } from '../scheduler/pod-info.ts';
import { admitPod, type Refusal } from './admission/admit-pod.ts';
import { rejectPod } from './admission/reject-pod.ts';
import type { OwnNode } from './own-node.ts';
import { type PodNeighbours, PodWorker } from './pod-worker.ts';
import { removePod } from './remove-pod.ts';
import { judgeResize, type ResizeObstacle } from './resize/judge-resize.ts';
import type { PodDirectory } from './server/find-container.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface FleetParts extends WorkerParts {
  readonly self: OwnNode;
}

/** The pods bound to a node: one worker for each that it takes, from when it is heard of until it is gone. */
export class PodFleet implements PodDirectory, PodNeighbours, AsyncDisposable {
  readonly #parts: FleetParts;
  readonly #workers = new Map<string, PodWorker>();
  /** UIDs of pods that were not taken, or not yet. */
  readonly #outside = new Set<string>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  find(namespace: string, name: string): PodWorker | undefined {
    return this.#workers.get(keyString({ namespace, name }));
  }

  all(): Iterable<PodWorker> {
    return this.#workers.values();
  }

  onPod(before: Stored<Pod> | undefined, after: Stored<Pod> | undefined): void {
    const isReplaced = before && after && before.metadata.uid !== after.metadata.uid;
    if (before && (!after || isReplaced)) this.#drop(before);
    if (!after) return;
    const worker = this.#workers.get(keyString(keyOf(after)));
    if (worker) worker.update(after);
    else this.#meet(after);
  }

  judgeResize(pod: Stored<Pod>): ResizeObstacle | undefined {
    return judgeResize(forgePodInfo(pod), this.#nodeWithout(pod));
  }

  onFreed(): void {
    for (const worker of this.#workers.values()) worker.reconsiderSize();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers.values()) this.#leave(worker.abandon());
    await Promise.all(this.#leaving);
  }

  /** Pods that are over are not run again, only let go of. */
  #meet(pod: Stored<Pod>): void {
    const { phase } = pod.status ?? {};
    const { deletionTimestamp, uid } = pod.metadata;
    const hasEnded = phase === 'Succeeded' || phase === 'Failed';
    if (hasEnded && deletionTimestamp) this.#leave(removePod(this.#parts, pod));
    if (hasEnded || this.#outside.has(uid)) return;
    const refusal = this.#admit(pod, this.#nodeWithout(pod));
    if (refusal) {
      this.#outside.add(uid);
      this.#leave(this.#refuse(pod, refusal));
    } else this.#take(pod);
  }

  #admit(pod: Stored<Pod>, node: NodeInfo): Refusal | undefined {
    return admitPod(forgePodInfo(pod), node);
  }

  #take(pod: Stored<Pod>): void {
    const worker = new PodWorker(this.#parts, pod, this);
    this.#workers.set(keyString(keyOf(pod)), worker);
    worker.start();
  }

  /** What was heard of the node may be older than the pod: for its labels, it is asked for again. */
  async #refuse(pod: Stored<Pod>, first: Refusal): Promise<void> {
    let refusal: Refusal | undefined = first;
    if (first.reason === 'NodeAffinity') {
      const node = await this.#parts.self.fetch(this.#parts.signal);
      if (!this.#outside.has(pod.metadata.uid)) return;
      refusal = this.#admit(pod, this.#nodeWithout(pod, node));
    }
    if (refusal) {
      this.#parts.events.record(pod, { type: 'Warning', ...refusal });
      await rejectPod(this.#parts, pod, refusal);
    } else {
      this.#outside.delete(pod.metadata.uid);
      this.#take(pod);
    }
  }

  /** The node with all pods that still use something of it but this one, each as large as it has been made. */
  #nodeWithout(pod: Stored<Pod>, node = this.#parts.self.newest): NodeInfo {
    const active = [...this.#workers.values()].filter(
      (worker) => !worker.isOver && worker.pod.metadata.uid !== pod.metadata.uid,
    );
    return new NodeInfo(
      node,
      active.map(({ allocatedPod }) => forgePodInfo(allocatedPod)),
    );
  }

  #drop(pod: Stored<Pod>): void {
    const key = keyString(keyOf(pod));
    const worker = this.#workers.get(key);
    this.#parts.events.forget(pod);
    this.#outside.delete(pod.metadata.uid);
    if (!worker || worker.pod.metadata.uid !== pod.metadata.uid) return;
    this.#workers.delete(key);
    this.#leave(worker.abandon());
    this.onFreed();
  }

  #leave(leaving: Promise<void>): void {
    const tracked = leaving.finally(() => this.#leaving.delete(tracked));
    this.#leaving.add(tracked);
  }
}
