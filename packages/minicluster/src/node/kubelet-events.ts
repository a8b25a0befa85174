import {
  type Client,
  type Clock,
  defineKind,
  formatTime,
  isNotFound,
  mergePatch,
  type Pod,
  type Random,
  type Stored,
} from '@liqo/kube';
import type * as core from 'kubernetes-types/core/v1.d.ts';

/** Kubelets still write events of the core group. */
const CoreEvent = defineKind<core.Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

export interface KubeletEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Which part of the pod it is about, such as `spec.containers{main}`. */
  readonly fieldPath?: string;
}

/** What happens to one container, said without naming it. */
export type ContainerEvent = Omit<KubeletEvent, 'fieldPath'>;

export interface KubeletEventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  readonly signal: AbortSignal;
  /** Records nothing. */
  readonly silent?: boolean | undefined;
}

/** So many are remembered, to be counted up when they happen again. */
const memory = 4096;

/** Tells people what happens to pods on the node. What happens again is counted up. Failing to tell stops nothing. */
export class KubeletEvents {
  readonly #options: KubeletEventsOptions;
  /** As they were last written. */
  readonly #told = new Map<string, Promise<core.Event | undefined>>();

  constructor(options: KubeletEventsOptions) {
    this.#options = options;
  }

  record(pod: Stored<Pod>, event: KubeletEvent): void {
    if (this.#options.silent) return;
    const id = JSON.stringify([pod.metadata.uid, event]);
    const before = this.#told.get(id) ?? Promise.resolve(undefined);
    const telling = before
      .then((told) => (told ? this.#repeat(told) : this.#create(this.#forge(pod, event))))
      .catch(() => undefined);
    // What was told last is the last to be forgotten.
    this.#told.delete(id);
    this.#told.set(id, telling);
    const [oldest] = this.#told.keys();
    if (this.#told.size > memory && oldest !== undefined) this.#told.delete(oldest);
  }

  forget(pod: Stored<Pod>): void {
    for (const id of this.#told.keys()) {
      if (id.startsWith(`["${pod.metadata.uid}"`)) this.#told.delete(id);
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#told.values());
  }

  async #create(event: core.Event): Promise<core.Event> {
    const { client, signal } = this.#options;
    await client.create(CoreEvent, event, signal);
    return event;
  }

  /** An event that has expired meanwhile is made again, and goes on counting. */
  async #repeat(told: core.Event): Promise<core.Event> {
    const { client, clock, signal } = this.#options;
    const { namespace, name = '' } = told.metadata;
    const again = { count: (told.count ?? 1) + 1, lastTimestamp: formatTime(clock.now()) };
    try {
      await client.patch(CoreEvent, { namespace, name }, mergePatch(again), signal);
      return { ...told, ...again };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#create({ ...told, ...again });
    }
  }

  #forge(pod: Stored<Pod>, { fieldPath, ...event }: KubeletEvent): core.Event {
    const { clock, random, nodeName } = this.#options;
    const { name, namespace = 'default', uid, resourceVersion } = pod.metadata;
    const now = formatTime(clock.now());
    const id = Math.floor(random() * 2 ** 48).toString(16);
    return {
      metadata: { name: `${name}.${clock.now().toString(16)}${id.padStart(12, '0')}`, namespace },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        name,
        namespace,
        uid,
        resourceVersion,
        ...(fieldPath && { fieldPath }),
      },
      ...event,
      source: { component: 'kubelet', host: nodeName },
      reportingComponent: 'kubelet',
      reportingInstance: nodeName,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
  }
}
