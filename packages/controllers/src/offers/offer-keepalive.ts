import { Advertisement, ClusterConfig, finalizers, fixedNames } from '@liqo/api';
import { keyOf, type Stored } from '@liqo/kube';
import { judgeClusterConfig } from '@liqo/model';
import { hasFinalizer, mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { receivedOffers } from '../selections.ts';
import { KeepaliveReconciler } from './reconcile-keepalive.ts';

/** At a consumer: gives up the offers of providers that do not answer any more. */
export function startOfferKeepalive(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const offers = loop.watch(Advertisement, receivedOffers);
  const configs = loop.watch(ClusterConfig);
  const reconciler = new KeepaliveReconciler({
    ...context,
    offers,
    readConfig: () => judgeClusterConfig(configs.get({ name: fixedNames.clusterConfig })).inForce,
  });
  const isHeld = (offer: Stored<Advertisement>) => hasFinalizer(offer, finalizers.advertisement);
  const becameHeld = (before: Stored<Advertisement>, after: Stored<Advertisement>) =>
    isHeld(before) !== isHeld(after);
  return loop.run({
    name: 'advertisement-keepalive',
    // A provider that does not answer delays one worker.
    concurrency: 8,
    sources: [primary(offers, becameHeld), mapped(configs, () => offers.list().map(keyOf))],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
