import {
  type Client,
  type Clock,
  defineKind,
  formatTime,
  isNotFound,
  type KubeObject,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import type * as core from 'kubernetes-types/core/v1.d.ts';
import { isNamespaceTerminating } from '../is-namespace-terminating.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';

/** Controllers still write events of the core group. */
const CoreEvent = defineKind<core.Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

/** An object, or what is known of one that may be gone. */
export type EventSubject =
  | Stored<KubeObject>
  | (core.ObjectReference & { readonly metadata?: never });

/** Says what one controller did, for people to read. */
export interface ControllerEvents {
  normal(about: EventSubject, reason: string, message: string): void;
  warning(about: EventSubject, reason: string, message: string): void;
}

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Records nothing. */
  readonly silent?: boolean | undefined;
}

/** More are dropped while the server is slow: nobody waits for events. */
const longestQueue = 1000;

/** Writes the events of all controllers, one after the other. Failing to write them stops nothing. */
export class EventRecorder implements AsyncDisposable {
  readonly #options: EventRecorderOptions;
  readonly #correlator = new EventCorrelator();
  #queue: Promise<void> = Promise.resolve();
  #queued = 0;
  #made = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  of(component: string): ControllerEvents {
    return {
      normal: (about, reason, message) =>
        this.#record(component, about, { type: 'Normal', reason, message }),
      warning: (about, reason, message) =>
        this.#record(component, about, { type: 'Warning', reason, message }),
    };
  }

  /** Resolves when nothing is being written any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue;
  }

  #record(
    component: string,
    about: EventSubject,
    what: { readonly type: string; readonly reason: string; readonly message: string },
  ): void {
    const { silent, signal, clock } = this.#options;
    if (silent || signal.aborted || this.#queued >= longestQueue) return;
    const nowMs = clock.now();
    const event = { ...this.#forge(component, about, nowMs), ...what };
    const correlated = this.#correlator.correlate(event, nowMs);
    if (!correlated) return;
    this.#queued += 1;
    this.#queue = this.#queue.then(() => this.#write(correlated));
  }

  async #write({ event, isRepeated }: CorrelatedEvent): Promise<void> {
    try {
      if (!isRepeated || !(await this.#countUp(event))) await this.#create(event);
    } catch (error) {
      if (!isNamespaceTerminating(error)) this.#options.onError(error);
    }
    this.#queued -= 1;
  }

  async #create(event: core.Event): Promise<void> {
    const { client, signal } = this.#options;
    await client.create(CoreEvent, event, signal);
  }

  /** False when the event of the first time is gone meanwhile. */
  async #countUp({ metadata, count, lastTimestamp, message }: core.Event): Promise<boolean> {
    const { client, signal } = this.#options;
    const { namespace, name = '' } = metadata;
    const change = mergePatch({
      count: count ?? 1,
      lastTimestamp: lastTimestamp ?? '',
      message: message ?? '',
    });
    try {
      await client.patch(CoreEvent, { namespace, name }, change, signal);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #forge(component: string, about: EventSubject, nowMs: number): core.Event {
    const involvedObject = referenceTo(about);
    const { name, namespace = 'default' } = involvedObject;
    const now = formatTime(nowMs);
    return {
      metadata: { name: `${name}.${this.#nextSuffix(nowMs)}`, namespace },
      involvedObject,
      source: { component },
      reportingComponent: component,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
  }

  /** The time in nanoseconds, of which those that the clock does not know are counted through. */
  #nextSuffix(nowMs: number): string {
    this.#made += 1;
    const nanoseconds = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(this.#made % 1_000_000);
    return nanoseconds.toString(16);
  }
}

function referenceTo(about: EventSubject): core.ObjectReference {
  if (!about.metadata) return about;
  const { apiVersion, kind, metadata } = about;
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, uid, resourceVersion, ...(namespace && { namespace }) };
}
