import {
  ApiError,
  type Client,
  type Clock,
  isTransient,
  oneLine,
  type Random,
  type Timer,
} from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import { settlesWithin } from '../settles-within.ts';
import { EventSeries } from './event-series.ts';
import { type EventReporter, forgeEvent, type RecordedEvent } from './forge-event.ts';
import { microTime } from './micro-time.ts';
import { TokenBucket, type TokenBucketOptions } from './token-bucket.ts';

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly reporter: EventReporter;
  /** The same event within this time of the last one counts the old one up. */
  readonly windowMs?: number;
  /** A count is written after this time, and then after twice as long each time, up to the longest. */
  readonly countAfterMs?: number;
  readonly countAtLeastEveryMs?: number;
  /** How many writes there may be about one object. */
  readonly perObject?: TokenBucketOptions;
  /** How long a stop waits for what is not yet written. */
  readonly flushMs?: number;
}

/** Tells people what happened, in Events. */
export interface EventRecorder extends AsyncDisposable {
  /** Returns at once and never throws: an event that cannot be written is lost, and that is all. */
  record(event: RecordedEvent): void;
}

const defaults = {
  windowMs: 360_000,
  countAfterMs: 10_000,
  countAtLeastEveryMs: 300_000,
  perObject: { burst: 25, refillMs: 300_000 },
  flushMs: 5_000,
};

/** So much is remembered, and waits to be written, at most: a storm of events is not kept in memory either. */
const maxSeries = 4_096;
const maxWaiting = 1_000;
const maxFailures = 3;
const writeTimeoutMs = 10_000;

/**
 * Writes Events (events.k8s.io/v1), in the background and sparingly: the same event (object, type, reason and note)
 * counts up the one that is there, counts are written less and less often for as long as it goes on, and an object that has
 * a lot to say about itself is listened to only now and then.
 *
 * A restart forgets what was counted, and begins a new Event: nothing decides by Events.
 */
export function startEventRecorder(options: EventRecorderOptions): EventRecorder {
  return new BackgroundRecorder({ ...defaults, ...options });
}

interface Remembered {
  readonly series: EventSeries;
  readonly bucket: TokenBucket;
  lastMs: number;
  /** When the next count is written, and how long that is after the last. */
  countDueMs: number;
  countPauseMs: number;
}

class BackgroundRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions & typeof defaults;
  readonly #stop = new AbortController();
  /** The least recently seen first. */
  readonly #series = new Map<string, Remembered>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #waiting = new Set<Remembered>();
  #writing: Promise<void> | undefined;
  #countTimer: Timer | undefined;
  #closed = false;

  constructor(options: EventRecorderOptions & typeof defaults) {
    this.#options = options;
  }

  record(event: RecordedEvent): void {
    if (this.#closed) return;
    try {
      this.#record(event);
    } catch (err) {
      this.#options.log.warn('Cannot record an event', { reason: event.reason, err });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#countTimer?.cancel();
    for (const remembered of this.#series.values()) {
      if (remembered.series.unwritten) this.#enqueue(remembered);
    }
    const { clock, flushMs, log } = this.#options;
    if (await settlesWithin(this.#writing ?? Promise.resolve(), clock, flushMs)) return;
    log.warn('Stopped before all events were written', { lost: this.#waiting.size });
    this.#stop.abort(new Error('The event recorder was stopped'));
  }

  #record(event: RecordedEvent): void {
    const { clock, log, windowMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const key = seriesKey(event);
    const known = this.#series.get(key);
    if (known && nowMs - known.lastMs <= windowMs) {
      known.series.happenedAgain(microTime(clock.now()));
      known.lastMs = nowMs;
      this.#remember(key, known);
      this.#countLater();
    } else if (this.#bucketOf(event).take()) this.#begin(key, event, nowMs);
    else log.debug('Left out an event of a talkative object', { key });
  }

  #begin(key: string, event: RecordedEvent, nowMs: number): void {
    const series = new EventSeries(this.#forge(event));
    const { countAfterMs } = this.#options;
    const remembered = {
      series,
      bucket: this.#bucketOf(event),
      lastMs: nowMs,
      countDueMs: nowMs + countAfterMs,
      countPauseMs: countAfterMs,
    };
    this.#remember(key, remembered);
    this.#enqueue(remembered);
  }

  #forge(event: RecordedEvent) {
    const { clock, random, reporter } = this.#options;
    const nowMs = clock.now();
    const chance = Math.floor(random() * 2 ** 32);
    const suffix = `${nowMs.toString(16)}${chance.toString(16).padStart(8, '0')}`;
    return forgeEvent(event, reporter, { eventTime: microTime(nowMs), suffix });
  }

  #remember(key: string, remembered: Remembered): void {
    moveToEnd(this.#series, key, remembered, maxSeries);
  }

  #bucketOf({ regarding }: RecordedEvent): TokenBucket {
    const { clock, perObject } = this.#options;
    const { uid } = regarding.metadata;
    const bucket = this.#buckets.get(uid) ?? new TokenBucket(clock, perObject);
    moveToEnd(this.#buckets, uid, bucket, maxSeries);
    return bucket;
  }

  #enqueue(remembered: Remembered): void {
    if (this.#waiting.size < maxWaiting) this.#waiting.add(remembered);
    else this.#options.log.debug('Left out an event because too many wait');
    this.#writing ??= this.#writeAll();
  }

  /** One after the other: events are not urgent, and must not get in the way of what is. */
  async #writeAll(): Promise<void> {
    for (const remembered of this.#waiting) {
      this.#waiting.delete(remembered);
      const { series } = remembered;
      if (series.unwritten && !this.#stop.signal.aborted) await this.#write(series);
    }
    this.#writing = undefined;
    if (!this.#closed) this.#countLater();
  }

  async #write(series: EventSeries): Promise<void> {
    const { client, log } = this.#options;
    try {
      const { signal } = this.#stop;
      await series.write(client, { timeoutMs: writeTimeoutMs, signal });
    } catch (err) {
      const givesUp = isRefusal(err) || series.failures >= maxFailures;
      if (givesUp) this.#forget(series);
      log.debug('Cannot write an event', { event: series.event.metadata?.name, givesUp, err });
    }
  }

  /** Counts, and what could not be written before, in one go. */
  #countLater(): void {
    if (this.#closed || this.#countTimer || !this.#hasUnwritten()) return;
    const { clock, countAfterMs } = this.#options;
    this.#countTimer = clock.after(countAfterMs, () => {
      this.#countTimer = undefined;
      for (const remembered of this.#series.values()) this.#countIfDue(remembered);
      this.#countLater();
    });
  }

  #countIfDue(remembered: Remembered): void {
    const { clock, countAtLeastEveryMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const { series, bucket, countDueMs, countPauseMs } = remembered;
    if (!series.unwritten || nowMs < countDueMs || !bucket.take()) return;
    remembered.countPauseMs = Math.min(2 * countPauseMs, countAtLeastEveryMs);
    remembered.countDueMs = nowMs + remembered.countPauseMs;
    this.#enqueue(remembered);
  }

  #hasUnwritten(): boolean {
    for (const { series } of this.#series.values()) if (series.unwritten) return true;
    return false;
  }

  #forget(series: EventSeries): void {
    for (const [key, remembered] of this.#series)
      if (remembered.series === series) this.#series.delete(key);
  }
}

/** As they are written: notes that differ beyond the limit are the same event, and none is remembered in full. */
function seriesKey({ regarding, related, type, reason, note }: RecordedEvent): string {
  const said = [type, oneLine(reason), oneLine(note)];
  return JSON.stringify([regarding.metadata.uid, related?.metadata.uid, ...said]);
}

/** The server has looked at it and does not want it: trying again is of no use. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isTransient(error);
}

function moveToEnd<V>(map: Map<string, V>, key: string, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= limit) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
