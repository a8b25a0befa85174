import type { Kind, KubeObject, Selection } from '@liqo/kube';
import {
  type ControllerOptions,
  type Informer,
  type InformerOptions,
  type StopOptions,
  type Stoppable,
  startController,
  startInformer,
} from '@liqo/runtime';
import type { ControllerContext } from './controller-context.ts';
import { type BorrowedSecrets, borrowTenantSecrets } from './tenant-access/tenant-secrets.ts';

export type LoopOptions = Pick<
  ControllerOptions,
  | 'caches'
  | 'name'
  | 'reconcile'
  | 'sources'
  | 'concurrency'
  | 'concurrencyPerFlow'
  | 'fairnessOf'
  | 'flowOf'
  | 'onTerminalError'
>;

type SyncingCache = NonNullable<ControllerOptions['caches']>[number];

/** With a form or an order that nobody else wants. */
type OwnCacheOptions<T extends KubeObject, I extends string> = Pick<
  InformerOptions<T, I>,
  'selection' | 'indexes' | 'transform'
>;

/** The caches of a controller and the controller itself: started in this order, stopped in the other. */
export class ControlLoop implements Stoppable {
  readonly #context: ControllerContext;
  readonly #informers: AsyncDisposable[] = [];
  readonly #caches: SyncingCache[] = [];
  #controller: Stoppable | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** A cache of this cluster's objects, shared with other loops; this one does not run before it is complete. */
  watch<T extends KubeObject>(kind: Kind<T>, selection?: Selection): Informer<T> {
    const borrowed = this.#context.caches.borrow(kind, selection);
    this.#informers.push(borrowed);
    this.#caches.push(borrowed.informer);
    return borrowed.informer;
  }

  /** The Secrets of tenant namespaces, where this cluster's controllers may read them; shared with other loops. */
  watchTenantSecrets(): BorrowedSecrets {
    const borrowed = borrowTenantSecrets(this.#context);
    this.#informers.push(borrowed);
    this.#caches.push(borrowed.bindings, borrowed.secrets);
    return borrowed;
  }

  /** A cache of this cluster's objects for this loop alone. */
  watchAlone<T extends KubeObject, I extends string = never>(
    kind: Kind<T>,
    options: OwnCacheOptions<T, I>,
  ): Informer<T, I> {
    const { client, clock, random, log } = this.#context;
    const informer = startInformer<T, I>({ client, kind, clock, random, log, ...options });
    this.#informers.push(informer);
    this.#caches.push(informer);
    return informer;
  }

  run(options: LoopOptions): this {
    const { clock, random, log, metrics } = this.#context;
    this.#controller = startController({
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      ...options,
      caches: [...this.#caches, ...(options.caches ?? [])],
    });
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller?.[Symbol.asyncDispose]();
    await this.#stopInformers();
  }

  whyNotReady(): string | undefined {
    return this.#controller?.whyNotReady?.();
  }

  async stop(options: StopOptions): Promise<void> {
    await this.#controller?.stop?.(options);
    await this.#stopInformers();
  }

  async #stopInformers(): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer[Symbol.asyncDispose]()));
  }
}
