import type { ShadowPod } from '@liqo/api';
import { type Clock, hashText, keyString, type ObjectKey, type Random } from '@liqo/kube';
import type { OffloadProblem } from '@liqo/model';
import { type BackoffPolicy, backoffMs } from '@liqo/runtime';

export interface Denial {
  readonly problem: OffloadProblem;
  readonly retryInMs: number;
}

interface DeniedWrite {
  /** Of what was to be written. */
  readonly hash: string;
  readonly problem: OffloadProblem;
  /** In a row. */
  readonly count: number;
  readonly retryAtMs: number;
}

/** A whole update, and the same without what Liqo's webhook denies. */
const maxWritesPerPod = 2;

/**
 * The back-off of ShadowPods that the provider denied. A ShadowPod with another content is not held back. Kept in memory:
 * after a restart every write is tried once.
 */
export class Denials {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #writes = new Map<string, readonly DeniedWrite[]>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Undefined if the ShadowPod may be written now. */
  find(pod: ObjectKey, shadowPod: ShadowPod): Denial | undefined {
    // Hardly a pod is denied, and a hash costs more than the rest.
    if (this.#of(pod).length === 0) return undefined;
    const write = this.#find(pod, hashOf(shadowPod));
    const retryInMs = write ? write.retryAtMs - this.#clock.monotonicMs() : 0;
    return write && retryInMs > 0 ? { problem: write.problem, retryInMs } : undefined;
  }

  add(
    pod: ObjectKey,
    shadowPod: ShadowPod,
    problem: OffloadProblem,
    backoff: BackoffPolicy,
  ): Denial {
    const hash = hashOf(shadowPod);
    const count = this.#find(pod, hash)?.count ?? 0;
    const retryInMs = backoffMs(backoff, count, this.#random);
    const retryAtMs = this.#clock.monotonicMs() + retryInMs;
    const others = this.#of(pod).filter((write) => write.hash !== hash);
    const writes = [...others, { hash, problem, count: count + 1, retryAtMs }];
    this.#writes.set(keyString(pod), writes.slice(-maxWritesPerPod));
    return { problem, retryInMs };
  }

  forget(pod: ObjectKey): void {
    this.#writes.delete(keyString(pod));
  }

  #find(pod: ObjectKey, hash: string): DeniedWrite | undefined {
    return this.#of(pod).find((write) => write.hash === hash);
  }

  #of(pod: ObjectKey): readonly DeniedWrite[] {
    return this.#writes.get(keyString(pod)) ?? [];
  }
}

function hashOf({ metadata, spec }: ShadowPod): string {
  const { labels, annotations } = metadata ?? {};
  return hashText(JSON.stringify([labels, annotations, spec]));
}
