import {
  type Clock,
  keyString,
  type LearntLimit,
  type ObjectKey,
  parseKey,
  type Timer,
} from '@liqo/kube';
import { FairQueue } from '@liqo/runtime';

export interface TurnsOptions {
  readonly clock: Clock;
  /** How many pods have their turn at a time. */
  readonly limit: LearntLimit;
  /** A turn ends by itself after that time: whatever takes a provider longer is not for others to wait for. */
  readonly longestMs: number;
  /** Once the provider has begun, what is left is the pod's own affair, and others wait no longer than this. */
  readonly onceBegunMs?: number;
  /** Told whose turn has come. */
  readonly onTurn: (pod: ObjectKey) => void;
}

/** How long a turn waits for whoever has been told of it. */
const noShowMs = 2_000;

interface Turn {
  /** Whether it has begun: whoever has it knows. */
  readonly isUsed: boolean;
  /** Whether the provider has begun with what it was asked for. */
  readonly isAnswered: boolean;
  readonly sinceMs: number;
  readonly timer: Timer;
}

/**
 * Whose turn it is to ask something of the provider: a few pods at a time, and the namespaces one after the other. At the
 * provider everybody stands in the same queues, of its scheduler and of its machines, in the order in which they came:
 * thousands of pods of one namespace wait here, where others may pass, and not over there.
 */
export class Turns implements Disposable {
  readonly #options: TurnsOptions;
  readonly #turns = new Map<string, Turn>();
  readonly #line = new FairQueue((key) => parseKey(key).namespace ?? '');
  readonly #inLine = new Set<string>();

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** How many have their turn. */
  get size(): number {
    return this.#turns.size;
  }

  /** Whether it is the turn of the pod. If not, it is told when it is. */
  take(pod: ObjectKey): boolean {
    const key = keyString(pod);
    const isTurn = this.#turns.has(key) || this.#isRoom();
    if (isTurn) this.#begin(key, this.#options.longestMs, true);
    else this.#join(key);
    return isTurn;
  }

  /** The provider has begun with what was asked for. */
  begun(pod: ObjectKey): void {
    const key = keyString(pod);
    const turn = this.#turns.get(key);
    const { clock, onceBegunMs } = this.#options;
    if (!turn?.isUsed || turn.isAnswered || onceBegunMs === undefined) return;
    turn.timer.cancel();
    const timer = clock.after(onceBegunMs, () => this.#end(key, true));
    this.#turns.set(key, { ...turn, isAnswered: true, timer });
  }

  /** The provider has done what was asked for, or enough of it: the pod stands in nobody's way any more. */
  takenUp(pod: ObjectKey): void {
    this.#end(keyString(pod), true);
  }

  /** There is nothing to wait for. */
  leave(pod: ObjectKey): void {
    this.#end(keyString(pod), false);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#turns.values()) timer.cancel();
    this.#turns.clear();
    this.#line.clear();
    this.#inLine.clear();
  }

  /** Nobody stands in line while there is. */
  #isRoom(): boolean {
    return this.#turns.size < this.#options.limit.current;
  }

  #join(key: string): void {
    if (this.#inLine.has(key)) return;
    this.#inLine.add(key);
    this.#line.push(key);
  }

  #begin(key: string, atMostMs: number, isUsed: boolean): void {
    const { clock } = this.#options;
    this.#turns.get(key)?.timer.cancel();
    const timer = clock.after(atMostMs, () => this.#end(key, true));
    this.#turns.set(key, { isUsed, isAnswered: false, sinceMs: clock.monotonicMs(), timer });
  }

  #end(key: string, isLesson: boolean): void {
    const turn = this.#turns.get(key);
    if (!turn) return;
    turn.timer.cancel();
    this.#turns.delete(key);
    const { clock, limit } = this.#options;
    const tookMs = clock.monotonicMs() - turn.sinceMs;
    if (isLesson && turn.isUsed) limit.learn(tookMs, this.#line.size > 0);
    this.#callNext();
  }

  #callNext(): void {
    while (this.#isRoom()) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#inLine.delete(next);
      this.#begin(next, noShowMs, false);
      this.#options.onTurn(parseKey(next));
    }
  }
}
