import type { Event } from 'kubernetes-types/core/v1.d.ts';
import { RecentMap } from '../recent-map.ts';

/** How many objects, and how many things told about them, are remembered. */
const memory = 4096;
/** From so many messages on that differ in nothing else, they are told as one, until nothing came for so long. */
const mostMessages = 10;
const similarForMs = 600_000;
/** A component may say so much about an object at once, and then once in so many milliseconds. */
const burst = 25;
const refillMs = 300_000;

export interface CorrelatedEvent {
  readonly event: Event;
  /** It was told before under this name: count it up there. */
  readonly isRepeated: boolean;
}

interface Similar {
  readonly messages: ReadonlySet<string>;
  readonly lastMs: number;
}

interface Told {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

interface Allowance {
  readonly left: number;
  readonly sinceMs: number;
}

/**
 * Keeps events few, in the way of client-go: what happens again is counted up, what is much alike is combined, and who
 * says too much about an object is not heard for a while.
 */
export class EventCorrelator {
  readonly #similar = new RecentMap<Similar>(memory);
  readonly #told = new RecentMap<Told>(memory);
  readonly #allowances = new RecentMap<Allowance>(memory);

  /** Undefined when nobody shall hear of it; it counts nevertheless. */
  correlate(event: Event, nowMs: number): CorrelatedEvent | undefined {
    const correlated = this.#isTooSimilar(event, nowMs)
      ? this.#count(combine(event), similarKey(event))
      : this.#count(event, JSON.stringify([similarKey(event), event.message]));
    return this.#mayTell(event, nowMs) ? correlated : undefined;
  }

  #isTooSimilar(event: Event, nowMs: number): boolean {
    const key = similarKey(event);
    const before = this.#similar.get(key);
    const isRecent = before && nowMs - before.lastMs <= similarForMs;
    const messages = [...(isRecent ? before.messages : []), event.message ?? ''];
    const distinct = new Set(messages);
    const isTooMany = distinct.size >= mostMessages;
    const kept = isTooMany ? new Set([...distinct].slice(1)) : distinct;
    this.#similar.set(key, { messages: kept, lastMs: nowMs });
    return isTooMany;
  }

  #count(event: Event, key: string): CorrelatedEvent {
    const before = this.#told.get(key);
    const { name = event.metadata.name ?? '', firstTimestamp = event.firstTimestamp ?? '' } =
      before ?? {};
    const count = (before?.count ?? 0) + 1;
    this.#told.set(key, { name, count, firstTimestamp });
    const metadata = { ...event.metadata, name };
    return { event: { ...event, metadata, count, firstTimestamp }, isRepeated: count > 1 };
  }

  #mayTell(event: Event, nowMs: number): boolean {
    const key = speakerKey(event);
    const { left, sinceMs } = this.#allowances.get(key) ?? { left: burst, sinceMs: nowMs };
    const available = Math.min(burst, left + (nowMs - sinceMs) / refillMs);
    const mayTell = available >= 1;
    this.#allowances.set(key, { left: mayTell ? available - 1 : available, sinceMs: nowMs });
    return mayTell;
  }
}

function speakerKey({ source, involvedObject, type }: Event): string {
  const { apiVersion, kind, namespace, name, uid } = involvedObject;
  return JSON.stringify([source?.component, apiVersion, kind, namespace, name, uid, type]);
}

function similarKey(event: Event): string {
  return JSON.stringify([speakerKey(event), event.reason]);
}

/** The last of many. It names no reporting component, as with client-go. */
function combine(event: Event): Event {
  const { reportingComponent: _, ...combined } = event;
  return { ...combined, message: `(combined from similar events): ${event.message}` };
}
