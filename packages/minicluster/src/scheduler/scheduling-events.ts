import {
  type Client,
  type Clock,
  Event,
  formatMicroTime,
  isNotFound,
  mergePatch,
  type ObjectKey,
  type Pod,
  type Random,
  type Stored,
} from '@liqo/kube';

export interface SchedulingEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'FailedScheduling' | 'Scheduled';
  readonly action: 'Binding' | 'Scheduling';
  readonly note: string;
}

export interface SchedulingEventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly schedulerName: string;
  readonly host: string;
  /** Records nothing. */
  readonly silent?: boolean | undefined;
}

/** Longer notes are refused by the API server. */
const longestNote = 1024;

/**
 * Tells people what became of their pods, as events of the newer API. The same thing about the same version of a pod is
 * told once, and said to have happened twice from then on.
 */
export class SchedulingEvents {
  readonly #options: SchedulingEventsOptions;
  readonly #told = new Map<string, { readonly about: string; readonly key: ObjectKey }>();

  constructor(options: SchedulingEventsOptions) {
    this.#options = options;
  }

  async record(pod: Stored<Pod>, event: SchedulingEvent, signal: AbortSignal): Promise<void> {
    if (this.#options.silent) return;
    const about = `${event.reason} ${pod.metadata.resourceVersion}`;
    const before = this.#told.get(pod.metadata.uid);
    if (before?.about === about && (await this.#repeat(before.key, signal))) return;
    const made = await this.#options.client.create(Event, this.#forge(pod, event), signal);
    const { namespace, name } = made.metadata;
    this.#told.set(pod.metadata.uid, { about, key: { namespace, name } });
  }

  forget(pod: Stored<Pod>): void {
    this.#told.delete(pod.metadata.uid);
  }

  /** False when the event of the first time is gone meanwhile. */
  async #repeat(key: ObjectKey, signal: AbortSignal): Promise<boolean> {
    const { client, clock } = this.#options;
    const series = { count: 2, lastObservedTime: formatMicroTime(clock.now()) };
    try {
      await client.patch(Event, key, mergePatch({ series }), signal);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #forge(pod: Stored<Pod>, { note, ...event }: SchedulingEvent): Event {
    const { clock, random, schedulerName, host } = this.#options;
    const { name, namespace = 'default', uid, resourceVersion } = pod.metadata;
    const id = Math.floor(random() * 2 ** 48).toString(16);
    return {
      metadata: { name: `${name}.${clock.now().toString(16)}${id.padStart(12, '0')}`, namespace },
      eventTime: formatMicroTime(clock.now()),
      reportingController: schedulerName,
      reportingInstance: `${schedulerName}-${host}`,
      regarding: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion },
      note: note.length <= longestNote ? note : `${note.slice(0, longestNote - 4)} ...`,
      ...event,
    };
  }
}
