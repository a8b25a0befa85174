import { type Clock, hashText, keyString, type ObjectKey, type Random } from '@liqo/kube';
import { type BackoffPolicy, backoffMs } from '@liqo/runtime';

interface Repetition {
  /** Of what was written, or denied. */
  readonly hash: string;
  readonly count: number;
  readonly wasDenied: boolean;
  readonly lastMs: number;
  readonly nextMs: number;
}

/** The same write is repeated this often without a wait: copies are changed by hand now and then. */
const freeRepetitions = 3;
const backoff: BackoffPolicy = { firstMs: 1_000, longestMs: 60_000 };
const forgetAfterMs = 600_000;
const maxRemembered = 10_000;

/**
 * Slows down writes of the same content to the same object: the provider denies them, or changes the object back each time.
 * A write of another content is never held back. Kept in memory only: after a restart every write is tried at once.
 */
export class RepeatedWrites {
  readonly #clock: Clock;
  readonly #random: Random;
  /** The least recently written first. */
  readonly #known = new Map<string, Repetition>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** For how long the write has to wait; 0 when it may be sent now. */
  waitMs(key: ObjectKey, content: string): number {
    const known = this.#find(key, hashText(content));
    return Math.max(0, (known?.nextMs ?? 0) - this.#clock.monotonicMs());
  }

  /** Notes that this content has been written, with this time. */
  noteSuccess(key: ObjectKey, content: string): void {
    const count = this.#countOf(key, content, false) + 1;
    const waitMs =
      count <= freeRepetitions ? 0 : backoffMs(backoff, count - freeRepetitions - 1, this.#random);
    this.#remember(key, content, { count, waitMs, wasDenied: false });
  }

  /** For how long the object counts as one whose copy is changed back each time; 0 if it is none. */
  contestedForMs(key: ObjectKey): number {
    const known = this.#known.get(keyString(key));
    if (!known || known.wasDenied || known.count <= freeRepetitions) return 0;
    return Math.max(0, known.lastMs + forgetAfterMs - this.#clock.monotonicMs());
  }

  /** In how many milliseconds to try again. */
  noteDenial(key: ObjectKey, content: string): number {
    const count = this.#countOf(key, content, true);
    const waitMs = backoffMs(backoff, count, this.#random);
    this.#remember(key, content, { count: count + 1, waitMs, wasDenied: true });
    return waitMs;
  }

  forget(key: ObjectKey): void {
    this.#known.delete(keyString(key));
  }

  #countOf(key: ObjectKey, content: string, wasDenied: boolean): number {
    const known = this.#find(key, hashText(content));
    return known?.wasDenied === wasDenied ? known.count : 0;
  }

  #find(key: ObjectKey, hash: string): Repetition | undefined {
    const known = this.#known.get(keyString(key));
    if (known?.hash !== hash) return undefined;
    return this.#clock.monotonicMs() - known.lastMs < forgetAfterMs ? known : undefined;
  }

  #remember(
    key: ObjectKey,
    content: string,
    { count, waitMs, wasDenied }: Pick<Repetition, 'count' | 'wasDenied'> & { waitMs: number },
  ): void {
    const nowMs = this.#clock.monotonicMs();
    const text = keyString(key);
    this.#known.delete(text);
    this.#known.set(text, {
      hash: hashText(content),
      count,
      wasDenied,
      lastMs: nowMs,
      nextMs: nowMs + waitMs,
    });
    if (this.#known.size <= maxRemembered) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
