import {
  Event,
  isAlreadyExists,
  isNotFound,
  isUnauthorized,
  mergePatch,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import {
  type EventSubject,
  forgeReflectedEvent,
  isDenial,
  isSkipped,
  planEvent,
  type RemoteEvent,
} from '@liqo/model';
import {
  type Controller,
  done,
  external,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  type StopOptions,
  startController,
} from '@liqo/runtime';
import type { ReflectedNamespace } from '../reflected-namespace.ts';
import type { ObjectReflector, Reflector, ReflectorOptions } from '../reflector.ts';
import { EventCaches } from './event-caches.ts';
import { EventPace } from './event-pace.ts';
import { EventSubjects } from './event-subjects.ts';

interface EventReflectorOptions
  extends Pick<ReflectorOptions<never>, 'context' | 'policy' | 'workers'> {
  /** Whose objects the Events may be about, besides pods. */
  readonly originals: readonly ObjectReflector[];
}

/** Rights are granted, and credentials renewed, without an event to this process. */
const askAgainMs = 10_000;

/** Writes Events of the provider about pods and copies of this cluster as Events about their originals. */
export function startEventReflector(options: EventReflectorOptions): Reflector {
  return new EventReflector(options);
}

class EventReflector implements Reflector {
  readonly #options: EventReflectorOptions;
  readonly #namespaces = new Map<string, EventCaches>();
  readonly #ending = new Set<Promise<void>>();
  readonly #changes = external();
  readonly #subjects: EventSubjects;
  readonly #pace: EventPace;
  readonly #controller: Controller;

  constructor(options: EventReflectorOptions) {
    const { context, originals, workers } = options;
    const { local, clock, random, log, metrics } = context;
    this.#options = options;
    this.#subjects = new EventSubjects({ local, originals });
    this.#pace = new EventPace(clock);
    this.#controller = startController({
      name: 'event-reflection',
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      concurrency: workers,
      sources: [this.#changes],
      reconcile: (key, run) => this.#reconcile(key, run),
    });
  }

  begin(namespace: ReflectedNamespace): void {
    const { context } = this.#options;
    const { name } = namespace;
    const caches = new EventCaches({
      context,
      namespace,
      onRemote: ({ metadata }) => {
        if (caches.hasSynced) this.#changes.enqueue({ namespace: name, name: metadata.name });
      },
    });
    this.#namespaces.set(name, caches);
    caches.synced().then(() => this.lookAtAll(name), stoppedEarly);
  }

  end(namespace: string): void {
    const caches = this.#namespaces.get(namespace);
    if (!caches) return;
    this.#namespaces.delete(namespace);
    const ended = caches[Symbol.asyncDispose]().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  lookAtAll(namespace: string): void {
    const caches = this.#namespaces.get(namespace);
    if (!caches?.hasSynced) return;
    for (const { metadata } of caches.remote.list()) {
      this.#changes.enqueue({ namespace, name: metadata.name });
    }
  }

  whyNotReady(): string | undefined {
    return this.#controller.whyNotReady();
  }

  async stop(options: StopOptions): Promise<void> {
    await this.#controller.stop(options);
    await this.#disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    for (const name of [...this.#namespaces.keys()]) this.end(name);
    await Promise.all(this.#ending);
  }

  async #reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const caches = this.#namespaces.get(key.namespace ?? '');
    if (!caches?.hasSynced || !caches.namespace.isReachable()) return done;
    const { context, policy } = this.#options;
    const remote = caches.findRemote(key.name);
    if (!remote || isSkipped(remote, policy)) return done;
    const step = planEvent(remote, caches.local.get(key), context.clock.now());
    if (step.type === 'nothing') return done;
    if (step.type === 'wait') return requeueAfter(step.waitMs, 'counted a moment ago');
    try {
      const subject = await this.#subjects.find(remote, caches.namespace, run.signal);
      if (!subject || !(await this.#pace.take(subject.metadata.uid, run.signal))) return done;
      const written =
        step.type === 'create'
          ? await this.#create(remote, subject, caches.namespace, run)
          : await context.local.patch(Event, key, mergePatch({ series: { ...step.series } }), {
              signal: run.signal,
            });
      run.wrote(caches.local, written);
      return done;
    } catch (error) {
      if (isUnauthorized(error)) return requeueAfter(askAgainMs, 'waiting for credentials');
      // An Event of that name is there, or the namespace is not: nothing decides by Events.
      if (isAlreadyExists(error) || isNotFound(error) || isDenial(error)) return done;
      throw error;
    }
  }

  #create(
    remote: Stored<RemoteEvent>,
    subject: EventSubject,
    { route }: ReflectedNamespace,
    { signal }: ReconcileContext,
  ): Promise<Stored<Event>> {
    const { local, clock } = this.#options.context;
    const event = forgeReflectedEvent(remote, subject, route, clock.now());
    return local.create(Event, event, { signal });
  }
}

function stoppedEarly(): void {
  // Disposed of before it had seen everything.
}
