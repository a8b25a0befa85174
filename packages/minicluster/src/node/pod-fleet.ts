import { keyOf, keyString, type Pod, type Stored } from '@liqo/kube';
import { PodWorker } from './pod-worker.ts';
import { removePod } from './remove-pod.ts';
import type { PodDirectory } from './server/find-container.ts';
import type { WorkerParts } from './worker-parts.ts';

/** The pods bound to a node: one worker for each, from when it is heard of until it is gone. */
export class PodFleet implements PodDirectory, AsyncDisposable {
  readonly #parts: WorkerParts;
  readonly #workers = new Map<string, PodWorker>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(parts: WorkerParts) {
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
    else this.#take(after);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers.values()) this.#leave(worker.abandon());
    await Promise.all(this.#leaving);
  }

  /** Pods that are over are not run again, only let go of. */
  #take(pod: Stored<Pod>): void {
    const { phase } = pod.status ?? {};
    if (phase === 'Succeeded' || phase === 'Failed') {
      if (pod.metadata.deletionTimestamp) this.#leave(removePod(this.#parts, pod));
      return;
    }
    const worker = new PodWorker(this.#parts, pod);
    this.#workers.set(keyString(keyOf(pod)), worker);
    worker.start();
  }

  #drop(pod: Stored<Pod>): void {
    const key = keyString(keyOf(pod));
    const worker = this.#workers.get(key);
    this.#parts.events.forget(pod);
    if (!worker || worker.pod.metadata.uid !== pod.metadata.uid) return;
    this.#workers.delete(key);
    this.#leave(worker.abandon());
  }

  #leave(leaving: Promise<void>): void {
    const tracked = leaving.finally(() => this.#leaving.delete(tracked));
    this.#leaving.add(tracked);
  }
}
