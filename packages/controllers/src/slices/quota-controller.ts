import { Quota, ResourceSlice } from '@liqo/api';
import type { ObjectKey, Stored } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { fromPeers } from '../selections.ts';
import { type LimitsEnforcement, QuotaReconciler } from './reconcile-quota.ts';

export interface QuotaOptions {
  /** Of every Quota that is made for a slice. */
  readonly limitsEnforcement: LimitsEnforcement;
}

/** Makes the Quotas of the slices of consumers, of whatever class. */
export function startQuotaController(
  context: ControllerContext,
  { limitsEnforcement }: QuotaOptions,
): Stoppable {
  const loop = new ControlLoop(context);
  const slices = loop.watch(ResourceSlice, fromPeers);
  const quotas = loop.watch(Quota);
  const { client, events } = context;
  const reconciler = new QuotaReconciler({ client, events, slices, quotas, limitsEnforcement });
  return loop.run({
    name: 'quota',
    concurrency: 4,
    sources: [primary(slices), mapped(quotas, sliceOf)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function sliceOf({ metadata }: Stored<Quota>): readonly ObjectKey[] {
  const owners = metadata.ownerReferences ?? [];
  return owners
    .filter(({ kind }) => kind === ResourceSlice.kind)
    .map(({ name }) => ({ namespace: metadata.namespace, name }));
}
