import {
  type Clock,
  keyString,
  Lanes,
  type LearntLimit,
  type ObjectKey,
  parseKey,
  type Timer,
} from '@liqo/kube';
import { NewsPace } from './news-pace.ts';

export interface TurnsOptions {
  readonly clock: Clock;
  /** How many pods have their turn at a time, as far as the provider is concerned: it learns how soon that begins. */
  readonly limit: LearntLimit;
  /** A turn ends by itself after that time: whatever takes longer is not for others to wait for. */
  readonly longestMs: number;
  /** Once the provider has begun, what is left is the pod's own affair, and others wait no longer than this. */
  readonly onceBegunMs?: number;
  /** What became of a pod is known here sooner than this, or the API server here has too much to do. */
  readonly lateNewsMs: number;
  /** Told whose turn has come. */
  readonly onTurn: (pod: ObjectKey) => void;
}

/** How long a turn waits for whoever has been told of it. */
const noShowMs = 2_000;
/** So many pods of a namespace have their turn whatever those of others do, as long as they are not many together. */
const few = 2;
const many = 16;

interface Turn {
  /** Whether it has begun: whoever has it knows. */
  readonly isUsed: boolean;
  readonly sinceMs: number;
  /** Whether the provider has begun with what it was asked for. */
  readonly isAnswered: boolean;
  /** Since when the provider is done with it. */
  readonly doneSinceMs?: number;
  readonly timer: Timer;
}

/**
 * Whose turn it is to ask something of the provider: a few pods at a time, and the namespaces one after the other. At the
 * provider everybody stands in the same queues, of its scheduler and of its machines, in the order in which they came:
 * thousands of pods of one namespace wait here, where others may pass, and not over there.
 *
 * A turn ends when what became of the pod is known here. While the API server here is late to tell, few have their turn:
 * whoever makes or deletes a crowd is done sooner that way, and so is everybody else.
 */
export class Turns implements Disposable {
  readonly #options: TurnsOptions;
  readonly #pace: NewsPace;
  readonly #turns = new Map<string, Turn>();
  /** How many of each namespace have their turn. */
  readonly #namespaces = new Map<string, number>();
  readonly #line = new Lanes<string>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#pace = new NewsPace({ least: few, lateMs: options.lateNewsMs });
  }

  /** How many have their turn. */
  get size(): number {
    return this.#turns.size;
  }

  /** Whether it is the turn of the pod. If not, it is told when it is. */
  take(pod: ObjectKey): boolean {
    const key = keyString(pod);
    const namespace = pod.namespace ?? '';
    const isTurn = this.#turns.has(key) || this.#isRoom() || this.#isRoomFor(namespace);
    if (isTurn) this.#begin(key, this.#options.longestMs, true);
    else this.#line.add(namespace, key);
    return isTurn;
  }

  /** The provider has begun with what was asked for. */
  begun(pod: ObjectKey): void {
    const key = keyString(pod);
    const turn = this.#turns.get(key);
    const { onceBegunMs } = this.#options;
    if (!turn?.isUsed || turn.isAnswered || onceBegunMs === undefined) return;
    this.#learn(turn);
    this.#goOn(key, { ...turn, isAnswered: true }, onceBegunMs);
  }

  /** The provider has done what was asked for: what is left is that it becomes known here. */
  finished(pod: ObjectKey): void {
    const key = keyString(pod);
    const turn = this.#turns.get(key);
    if (!turn?.isUsed || turn.doneSinceMs !== undefined) return;
    if (!turn.isAnswered) this.#learn(turn);
    const { clock, longestMs } = this.#options;
    this.#goOn(key, { ...turn, isAnswered: true, doneSinceMs: clock.monotonicMs() }, longestMs);
  }

  /** What became of the pod is known here, or enough of it: it stands in nobody's way any more. */
  over(pod: ObjectKey): void {
    this.#end(keyString(pod), true);
  }

  /** There is nothing to wait for. */
  leave(pod: ObjectKey): void {
    this.#end(keyString(pod), false);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#turns.values()) timer.cancel();
    this.#turns.clear();
    this.#namespaces.clear();
    this.#line.clear();
  }

  /** Nobody stands in line while there is. */
  #isRoom(): boolean {
    return this.#turns.size < Math.min(this.#options.limit.current, this.#pace.current);
  }

  /** Nobody of the namespace stands in line while there is. */
  #isRoomFor(namespace: string): boolean {
    return (this.#namespaces.get(namespace) ?? 0) < few && this.#turns.size < many;
  }

  #begin(key: string, atMostMs: number, isUsed: boolean): void {
    const { clock } = this.#options;
    const before = this.#turns.get(key);
    before?.timer.cancel();
    if (!before) this.#count(key, 1);
    const timer = clock.after(atMostMs, () => this.#end(key, true));
    this.#turns.set(key, { isUsed, isAnswered: false, sinceMs: clock.monotonicMs(), timer });
  }

  #goOn(key: string, turn: Turn, atMostMs: number): void {
    turn.timer.cancel();
    const timer = this.#options.clock.after(atMostMs, () => this.#end(key, true));
    this.#turns.set(key, { ...turn, timer });
  }

  #end(key: string, isLesson: boolean): void {
    const turn = this.#turns.get(key);
    if (!turn) return;
    turn.timer.cancel();
    this.#turns.delete(key);
    this.#count(key, -1);
    if (isLesson && turn.isUsed) this.#learn(turn);
    this.#callNext();
  }

  /** From what is not known of it yet: how soon the provider began, and how soon it was known here. */
  #learn({ sinceMs, isAnswered, doneSinceMs }: Turn): void {
    const { clock, limit } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!isAnswered) limit.learn(nowMs - sinceMs, this.#line.size > 0);
    if (doneSinceMs !== undefined) this.#pace.learn(nowMs - doneSinceMs);
  }

  #count(key: string, change: number): void {
    const namespace = namespaceOf(key);
    const count = (this.#namespaces.get(namespace) ?? 0) + change;
    if (count === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, count);
  }

  #callNext(): void {
    while (this.#isRoom() && this.#call(this.#line.shift()));
    const isWelcome = (namespace: string) => this.#isRoomFor(namespace);
    while (this.#turns.size < many && this.#call(this.#line.shift(isWelcome)));
  }

  /** Whether there was somebody to call. */
  #call(next: string | undefined): boolean {
    if (next === undefined) return false;
    this.#begin(next, noShowMs, false);
    this.#options.onTurn(parseKey(next));
    return true;
  }
}

function namespaceOf(key: string): string {
  return parseKey(key).namespace ?? '';
}
