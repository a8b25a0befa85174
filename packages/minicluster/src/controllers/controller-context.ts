import {
  apiVersionOf,
  type Client,
  type Clock,
  type Kind,
  type KubeObject,
  type Random,
} from '@liqo/kube';
import type { KindReader } from '../kind-reader.ts';
import { ControlLoop, type Reconcile } from './control-loop.ts';
import { type ControllerEvents, EventRecorder } from './events/event-recorder.ts';
import { Informer } from './informer.ts';

export interface ControllerOptions {
  /** What they read and follow kinds with: the client unless it says otherwise. */
  readonly reader?: KindReader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether nobody is told, in events, what they do. */
  readonly silent?: boolean | undefined;
  /** Told what went wrong and will be tried again: mostly conflicts, which are normal. */
  readonly onError?: (error: unknown, where: string) => void;
}

/** What all controllers of a cluster share: one informer per kind, and loops that start when the caches are filled. */
export class ControllerContext implements AsyncDisposable {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly #options: ControllerOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #loops: ControlLoop[] = [];
  readonly #stop = new AbortController();
  readonly #recorder: EventRecorder;

  constructor(client: Client, options: ControllerOptions) {
    this.client = client;
    this.clock = options.clock;
    this.random = options.random;
    this.#options = options;
    const onError = (error: unknown) => this.report(error, 'events');
    const { clock, signal } = this;
    this.#recorder = new EventRecorder({ client, clock, signal, onError, silent: options.silent });
  }

  /** Aborts when the controllers are told to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get reader(): KindReader {
    return this.#options.reader ?? this.client;
  }

  informer<T extends KubeObject>(kind: Kind<T>): Informer<T> {
    const name = `${apiVersionOf(kind)}/${kind.plural}`;
    const existing = this.#informers.get(name);
    if (existing) return existing as unknown as Informer<T>;
    const { client, reader, clock, random } = this;
    const onError = (error: unknown) => this.report(error, name);
    const informer = new Informer(kind, { client, reader, clock, random, onError });
    this.#informers.set(name, informer as unknown as Informer<KubeObject>);
    return informer;
  }

  /** Ends the informer of a kind that is served no more. */
  async dropInformer(kind: Kind): Promise<void> {
    const name = `${apiVersionOf(kind)}/${kind.plural}`;
    const informer = this.#informers.get(name);
    this.#informers.delete(name);
    await informer?.[Symbol.asyncDispose]();
  }

  loop(name: string, reconcile: Reconcile): ControlLoop {
    const onError = (error: unknown, key: string) => this.report(error, `${name} ${key}`);
    const loop = new ControlLoop({ clock: this.clock, reconcile, onError });
    this.#loops.push(loop);
    return loop;
  }

  /** Where a controller tells people what it did, under the name of its component. */
  events(component: string): ControllerEvents {
    return this.#recorder.of(component);
  }

  report(error: unknown, where: string): void {
    if (!this.signal.aborted) this.#options.onError?.(error, where);
  }

  /** Lets the loops go once every informer asked for so far has listed its kind. */
  async start(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(({ synced }) => synced));
    for (const loop of this.#loops) loop.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const parts = [...this.#loops, ...this.#informers.values(), this.#recorder];
    await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
  }
}
