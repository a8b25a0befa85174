import { Quota, type ResourceSlice } from '@liqo/api';
import {
  type Client,
  isInvalid,
  mergePatch,
  type ObjectKey,
  oneLine,
  type Stored,
} from '@liqo/kube';
import { consumerOf, planQuota, type QuotaStep, quotaName } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Informer,
  type Outcome,
  type ReconcileContext,
} from '@liqo/runtime';

export type LimitsEnforcement = NonNullable<Quota['spec']['limitsEnforcement']>;

interface QuotaContext {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly slices: CachedReader<ResourceSlice>;
  readonly quotas: Informer<Quota>;
  readonly limitsEnforcement: LimitsEnforcement;
}

/** Keeps the Quota of a slice as the slice is granted and cordoned. It goes with the slice, by the garbage collector. */
export class QuotaReconciler {
  readonly #context: QuotaContext;

  constructor(context: QuotaContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { slices, quotas, limitsEnforcement } = this.#context;
    const slice = slices.get(key);
    if (!slice || slice.metadata.deletionTimestamp !== undefined) return done;
    const name = quotaName(slice.metadata.name, consumerOf(slice));
    const quotaKey = { namespace: slice.metadata.namespace, name };
    const step = planQuota(slice, quotas.get(quotaKey), limitsEnforcement);
    try {
      await this.#take(step, quotaKey, run);
    } catch (error) {
      // Another controller has granted resources that no Quota can have.
      if (!isInvalid(error)) throw error;
      this.#warn(slice, 'InvalidResources', error.message);
    }
    if (step.type === 'taken') {
      this.#warn(slice, 'QuotaNameTaken', `The Quota "${name}" does not belong to this slice`);
    }
    return done;
  }

  async #take(step: QuotaStep, key: ObjectKey, run: ReconcileContext): Promise<void> {
    const { client, quotas } = this.#context;
    const { signal } = run;
    if (step.type === 'create') {
      run.wrote(quotas, await client.create(Quota, step.quota, signal));
    }
    if (step.type === 'patch') {
      run.wrote(quotas, await client.patch(Quota, key, mergePatch(step.change), { signal }));
    }
  }

  #warn(regarding: Stored<ResourceSlice>, reason: string, note: string): void {
    const { events } = this.#context;
    events.record({ regarding, type: 'Warning', reason, action: 'Limiting', note: oneLine(note) });
  }
}
