import { Advertisement } from '@liqo/api';
import { external, inOrder, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { PeerLinks } from '../peers/peer-links.ts';
import { receivedOffers } from '../selections.ts';
import { ProviderOffers } from './provider-offers.ts';
import { FetchedOfferReconciler } from './reconcile-fetched-offer.ts';

/** At a consumer: fetches the offers of the providers that it is connected to. */
export function startOfferFetchController(context: ControllerContext, links: PeerLinks): Stoppable {
  const loop = new ControlLoop(context);
  const copies = loop.watch(Advertisement, receivedOffers);
  const nudges = external();
  const providers = new ProviderOffers(context, links, (key) => nudges.enqueue(key));
  const reconciler = new FetchedOfferReconciler({
    ...context,
    sourceOf: (key) => providers.of(key),
  });
  loop.run({
    name: 'fetch-advertisements',
    concurrency: 8,
    sources: [primary(copies), nudges],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
  return inOrder([loop, providers]);
}
