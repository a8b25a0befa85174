import { defineOfferSwitch } from './define-offer-switch.ts';

export const enableOffer = defineOfferSwitch({
  verb: 'enable',
  summary: 'offers resources of this cluster to its consumers',
  description:
    'Has this cluster, the provider, offer each consumer with a Tenant a share of what is free. Creates the ClusterConfig if there is\n' +
    'none: its defaults also accept every offer of providers of this cluster.',
  examples: ['liqoctl offer enable', 'liqoctl offer enable --percentage 50'],
});
