import type { Pod, Stored } from '@liqo/kube';
import type { KubeletEvent } from '../kubelet-events.ts';
import type { PodConditionFacts } from '../status/pod-conditions.ts';
import { describeResize } from './describe-resize.ts';
import type { ResizeObstacle } from './judge-resize.ts';
import { PodAllocation, type ResizedContainer } from './pod-allocation.ts';

export interface PodResizerOptions {
  /** Whether the node has room for the pod as it wants to be. */
  judge(pod: Stored<Pod>): ResizeObstacle | undefined;
  /** Resolves when people can see that the resize has begun. */
  settle(): Promise<void>;
  /** Gives a container what has been set aside for it. */
  actuate(container: ResizedContainer): void;
  /** Whether every container that runs has what has been set aside for it. */
  isActuated(): boolean;
  onChange(): void;
  /** Others may have room now. */
  onFreed(): void;
  record(event: KubeletEvent): void;
}

/** Resizes a pod in place (KEP-1287): when its node has room, and never by more than that. */
export class PodResizer {
  readonly allocation: PodAllocation;
  readonly #options: PodResizerOptions;
  #pending: (ResizeObstacle & { readonly observedGeneration: number }) | undefined;
  #begun: Stored<Pod> | undefined;
  #isActuating = false;

  constructor(pod: Stored<Pod>, options: PodResizerOptions) {
    this.allocation = new PodAllocation(pod);
    this.#options = options;
  }

  /** What there is to say of a resize that waits or goes on. */
  get conditions(): readonly PodConditionFacts[] {
    const pending = this.#pending;
    const begun = this.#begun;
    return [
      ...(pending ? [{ type: 'PodResizePending', status: 'True', ...pending } as const] : []),
      ...(begun
        ? [
            {
              type: 'PodResizeInProgress',
              status: 'True',
              observedGeneration: begun.metadata.generation ?? 0,
            } as const,
          ]
        : []),
    ];
  }

  /** Acts upon what the pod asks for now. Safe to repeat: what had to wait is tried again. */
  consider(pod: Stored<Pod>): void {
    const isWanting = !this.allocation.isFor(pod);
    const obstacle = isWanting ? this.#options.judge(pod) : undefined;
    this.#setPending(pod, obstacle);
    if (isWanting && !obstacle) void this.#begin(pod);
  }

  /** A container has changed: it may have got what it was given. */
  heed(): void {
    const pod = this.#begun;
    if (!pod || this.#isActuating || !this.#options.isActuated()) return;
    this.#begun = undefined;
    const message = describeResize('Pod resize completed', pod);
    this.#options.record({ type: 'Normal', reason: 'ResizeCompleted', message });
    this.#options.onChange();
  }

  async #begin(pod: Stored<Pod>): Promise<void> {
    const { record, onChange, settle, actuate, onFreed } = this.#options;
    const resized = this.allocation.accept(pod);
    this.#begun = pod;
    this.#isActuating = true;
    const message = describeResize('Pod resize started', pod);
    record({ type: 'Normal', reason: 'ResizeStarted', message });
    onChange();
    onFreed();
    await settle();
    this.#isActuating = false;
    for (const container of resized) actuate(container);
    this.heed();
  }

  #setPending(pod: Stored<Pod>, obstacle: ResizeObstacle | undefined): void {
    const before = this.#pending;
    const { generation = 0 } = pod.metadata;
    this.#pending = obstacle && { ...obstacle, observedGeneration: generation };
    if (
      obstacle &&
      (before?.reason !== obstacle.reason || before.observedGeneration !== generation)
    ) {
      const message = describeResize(`Pod resize ${obstacle.reason}`, pod, obstacle.message);
      this.#options.record({ type: 'Warning', reason: `Resize${obstacle.reason}`, message });
    }
    if (before || obstacle) this.#options.onChange();
  }
}
