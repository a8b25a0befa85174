import type { ForeignCluster, ShadowEndpointSlice } from '@liqo/api';
import {
  ApiError,
  type Client,
  EndpointSlice,
  isAlreadyExists,
  Namespace,
  type ObjectKey,
  oneLine,
  type Stored,
} from '@liqo/kube';
import {
  type AddressPolicy,
  type EndpointSliceStep,
  isDenial,
  isPeerReachable,
  originOf,
  planEndpointSlice,
  type RefusedAddress,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';

interface EndpointSliceOptions {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly shadows: CachedReader<ShadowEndpointSlice>;
  /** Those that were made here for consumers. */
  readonly slices: Informer<EndpointSlice>;
  readonly namespaces: CachedReader<Namespace>;
  readonly foreignClusters: CachedReader<ForeignCluster>;
  readonly ranges: { readonly policy: AddressPolicy };
}

/** A foreign EndpointSlice emits no event to this controller when it goes, and a denial none when it is lifted. */
const retryMs = 30_000;

export class EndpointSliceReconciler {
  readonly #options: EndpointSliceOptions;

  constructor(options: EndpointSliceOptions) {
    this.#options = options;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { shadows, slices } = this.#options;
    const shadow = shadows.get(key);
    // Its EndpointSlice is removed by the garbage collector.
    if (!shadow) return done;
    const step = await this.#plan(shadow, slices.get(key), run.signal);
    if (step.type !== 'create') return this.#take(step, shadow, run);
    try {
      return await this.#take(step, shadow, run);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // The cache is behind, or the EndpointSlice is not one of ours.
      const live = await this.#options.client.get(EndpointSlice, key, run.signal);
      if (!live)
        return requeueAfter(1_000, 'waiting for the EndpointSlice of that name to be gone');
      return this.#take(await this.#plan(shadow, live, run.signal), shadow, run);
    }
  }

  /** A namespace that was created a moment ago is not in the cache: nothing is refused on the grounds of the cache. */
  async #plan(
    shadow: Stored<ShadowEndpointSlice>,
    current: Stored<EndpointSlice> | undefined,
    signal: AbortSignal,
  ): Promise<EndpointSliceStep> {
    const { client, namespaces, foreignClusters, ranges } = this.#options;
    const isReachable = isPeerReachable(foreignClusters.get({ name: originOf(shadow) ?? '' }));
    const planIn = (namespace: Namespace = {}) =>
      planEndpointSlice(shadow, current, { namespace, isReachable, addressPolicy: ranges.policy });
    const key = { name: shadow.metadata.namespace ?? '' };
    const step = planIn(namespaces.get(key));
    if (step.type !== 'refuse' || step.reason !== 'OriginMismatch') return step;
    return planIn(await client.get(Namespace, key, signal));
  }

  async #take(
    step: EndpointSliceStep,
    shadow: Stored<ShadowEndpointSlice>,
    run: ReconcileContext,
  ): Promise<Outcome> {
    if (step.type === 'refuse') return this.#report(shadow, step.reason, step.message);
    try {
      await this.#write(step, run);
    } catch (error) {
      if (!isDenial(error)) throw error;
      const reason =
        step.type === 'create' ? 'FailedCreateEndpointSlice' : 'FailedUpdateEndpointSlice';
      return this.#report(
        shadow,
        reason,
        error instanceof ApiError ? error.message : String(error),
      );
    }
    if (step.refused.length > 0) this.#warn(shadow, 'AddressRefused', describe(step.refused));
    return done;
  }

  async #write(
    step: Exclude<EndpointSliceStep, { type: 'refuse' }>,
    run: ReconcileContext,
  ): Promise<void> {
    const { client, slices } = this.#options;
    const { signal } = run;
    if (step.type === 'create') {
      run.wrote(slices, await client.create(EndpointSlice, step.slice, signal));
    }
    if (step.type === 'update') {
      run.wrote(slices, await client.update(EndpointSlice, step.slice, signal));
    }
  }

  #report(shadow: Stored<ShadowEndpointSlice>, reason: string, message: string): Outcome {
    this.#warn(shadow, reason, message);
    return requeueAfter(retryMs, message);
  }

  #warn(regarding: Stored<ShadowEndpointSlice>, reason: string, note: string): void {
    this.#options.events.record({ regarding, type: 'Warning', reason, action: 'Creating', note });
  }
}

const longestAddress = 64;

/** The note is the same while the addresses are: the event counts up. */
function describe(refused: readonly RefusedAddress[]): string {
  const [first, ...others] = refused;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const shown = oneLine(first?.address ?? '', longestAddress);
  return `The address "${shown}" is left out: ${first?.problem}${more}`;
}
