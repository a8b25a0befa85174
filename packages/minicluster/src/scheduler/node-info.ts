import type { Node, Stored } from '@liqo/kube';
import type { PodInfo } from './pod-info.ts';
import { type Amounts, addAmounts, readAmounts } from './pod-requests.ts';

/** A node, the pods on it, and what they leave of it. */
export class NodeInfo {
  readonly node: Stored<Node>;
  readonly allocatable: Amounts;
  readonly #pods = new Map<string, PodInfo>();
  readonly #requested = new Map<string, number>();
  readonly #scoredRequested = new Map<string, number>();

  constructor(node: Stored<Node>, pods: Iterable<PodInfo> = []) {
    this.node = node;
    this.allocatable = readAmounts(node.status?.allocatable ?? node.status?.capacity);
    for (const pod of pods) this.add(pod);
  }

  get name(): string {
    return this.node.metadata.name;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.node.metadata.labels ?? {};
  }

  get podCount(): number {
    return this.#pods.size;
  }

  pods(): Iterable<PodInfo> {
    return this.#pods.values();
  }

  /** Of all its pods. */
  get requested(): Amounts {
    return this.#requested;
  }

  /** The same with something assumed for containers that request nothing. */
  get scoredRequested(): Amounts {
    return this.#scoredRequested;
  }

  add(pod: PodInfo): void {
    this.remove(pod.key);
    this.#pods.set(pod.key, pod);
    addAmounts(this.#requested, pod.requests);
    addAmounts(this.#scoredRequested, pod.scoredRequests);
  }

  remove(key: string): void {
    const pod = this.#pods.get(key);
    if (!pod) return;
    this.#pods.delete(key);
    addAmounts(this.#requested, pod.requests, -1);
    addAmounts(this.#scoredRequested, pod.scoredRequests, -1);
  }
}
