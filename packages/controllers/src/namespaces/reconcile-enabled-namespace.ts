import { annotations, fixedNames, NamespaceOffloading } from '@liqo/api';
import {
  type Client,
  isAlreadyExists,
  isNotFound,
  keyOf,
  Namespace,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import { planEnabledNamespace } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Informer,
  type Outcome,
  type ReconcileContext,
} from '@liqo/runtime';

interface EnabledNamespaceContext {
  readonly client: Client;
  readonly liqoNamespace: string;
  readonly events: EventRecorder;
  /** Those with the label. */
  readonly namespaces: CachedReader<Namespace>;
  readonly offloadings: Informer<NamespaceOffloading>;
}

/** Keeps the NamespaceOffloading of a namespace as its label `liqo.io/enabled` says. */
export class EnabledNamespaceReconciler {
  readonly #context: EnabledNamespaceContext;

  constructor(context: EnabledNamespaceContext) {
    this.#context = context;
  }

  async reconcile({ name }: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { liqoNamespace, offloadings } = this.#context;
    const offloading = offloadings.get({ namespace: name, name: fixedNames.namespaceOffloading });
    const namespace = await this.#readNamespace(name, offloading, run.signal);
    if (!namespace) return done;
    const step = planEnabledNamespace(namespace, offloading, liqoNamespace);
    if (step.type === 'create') await this.#create(step.offloading, run);
    if (step.type === 'delete' && offloading) await this.#remove(offloading, run.signal);
    if (step.type === 'refuse') this.#refuse(namespace, step.why);
    return done;
  }

  /** The cache has only namespaces with the label: before anything is removed, the API server confirms that it is gone. */
  async #readNamespace(
    name: string,
    offloading: NamespaceOffloading | undefined,
    signal: AbortSignal,
  ): Promise<Stored<Namespace> | undefined> {
    const cached = this.#context.namespaces.get({ name });
    if (cached) return cached;
    const isMarked = offloading?.metadata?.annotations?.[annotations.enabledNamespace];
    return isMarked ? this.#context.client.get(Namespace, { name }, signal) : undefined;
  }

  /** One that the user has just created is left alone: the informer will show it. */
  async #create(offloading: NamespaceOffloading, run: ReconcileContext): Promise<void> {
    const { client, offloadings } = this.#context;
    try {
      run.wrote(offloadings, await client.create(NamespaceOffloading, offloading, run.signal));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** The version is a precondition: a user who takes the object over in the meantime keeps it. */
  async #remove(offloading: Stored<NamespaceOffloading>, signal: AbortSignal): Promise<void> {
    const { uid, resourceVersion } = offloading.metadata;
    const preconditions = { uid, resourceVersion };
    try {
      await this.#context.client.delete(NamespaceOffloading, keyOf(offloading), {
        preconditions,
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #refuse(regarding: Stored<Namespace>, why: string): void {
    this.#context.events.record({
      regarding,
      type: 'Warning',
      reason: 'ReservedNamespace',
      action: 'Offloading',
      note: `The label liqo.io/enabled has no effect: ${why}`,
    });
  }
}
