import { Renew, type Tenant } from '@liqo/api';
import type { Client, ObjectKey } from '@liqo/kube';
import { answerRenew } from '@liqo/model';
import {
  type CachedReader,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  writeStatus,
} from '@liqo/runtime';

interface RenewContext {
  readonly client: Client;
  /** Copies from consumers. */
  readonly renews: Informer<Renew>;
  readonly tenants: CachedReader<Tenant>;
}

/** Answers the Renews of consumers with the latest credentials of their control planes. */
export class RenewReconciler {
  readonly #context: RenewContext;

  constructor(context: RenewContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, { signal, wrote }: ReconcileContext): Promise<Outcome> {
    const { client, renews, tenants } = this.#context;
    const renew = renews.get(key);
    if (!renew || renew.metadata.deletionTimestamp !== undefined) return done;
    const [authParams] = tenants
      .list(key.namespace)
      .map((tenant) => answerRenew(renew, tenant))
      .filter((answer) => answer !== undefined);
    if (!authParams) return done;
    wrote(renews, await writeStatus(client, Renew, renew, { ...renew.status, authParams }, signal));
    return done;
  }
}
