import { Renew, Tenant } from '@liqo/api';
import { keyOf } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { fromPeers } from '../selections.ts';
import { RenewReconciler } from './reconcile-renew.ts';

/** Hands new credentials over to consumers, in the status of their Renews. */
export function startRenewAnswers(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const renews = loop.watch(Renew, fromPeers);
  const tenants = loop.watch(Tenant);
  const reconciler = new RenewReconciler({ client: context.client, renews, tenants });
  return loop.run({
    name: 'renew-answers',
    sources: [
      primary(renews),
      mapped(tenants, ({ metadata }) => renews.list(metadata.namespace).map(keyOf)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
