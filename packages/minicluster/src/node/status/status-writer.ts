import {
  type Client,
  type Clock,
  deepEqual,
  isConflict,
  isInvalid,
  isNotFound,
  keyOf,
  Pod,
  type Stored,
  sleep,
} from '@liqo/kube';
import type { PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { isReplaced } from '../is-replaced.ts';
import { statusPatch } from './status-patch.ts';

export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly pod: Stored<Pod>;
  /** The status as it is to be now. */
  forge(before: PodStatus): PodStatus;
  readonly signal: AbortSignal;
}

const retryMs = 1_000;

/** Writes the newest status of a pod, as often as there is a new one, and never two at a time. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  #status: PodStatus;
  #written: PodStatus | undefined;
  #writing: Promise<void> | undefined;
  #isDirty = false;
  #isGone = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#status = options.pod.status ?? {};
  }

  /** What was forged last, written or about to be. */
  get status(): PodStatus {
    return this.#status;
  }

  /** Something changed. Changes of the same moment are written together. */
  touch(): void {
    this.#isDirty = true;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything is written, or there is nothing to write it to. */
  async settle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#isDirty && !this.#isGone && !this.#options.signal.aborted) {
      this.#isDirty = false;
      this.#status = this.#options.forge(this.#status);
      if (deepEqual(this.#status, this.#written)) continue;
      await this.#write(this.#status);
    }
    // In the same turn in which nothing was left, so that no change that comes now is overlooked.
    this.#writing = undefined;
  }

  async #write(status: PodStatus): Promise<void> {
    const { client, clock, pod, signal } = this.#options;
    const patch = statusPatch(pod.metadata.uid, status);
    try {
      await client.patch(Pod, keyOf(pod), patch, { subresource: 'status', signal });
      this.#written = status;
    } catch (error) {
      // It may have been written all the same.
      this.#written = undefined;
      this.#isGone = await this.#leavesNothing(error);
      if (this.#isGone || signal.aborted) return;
      this.#isDirty = true;
      await sleep(clock, retryMs, signal).catch(() => undefined);
    }
  }

  /** Others than the API server's own check of the UID give conflicts, too. */
  async #leavesNothing(error: unknown): Promise<boolean> {
    const { client, pod, signal } = this.#options;
    if (isConflict(error)) return isReplaced(client, pod, signal);
    return isNotFound(error) || isInvalid(error);
  }
}
