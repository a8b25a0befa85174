import { defineOfferDecision } from './define-offer-decision.ts';

export const acceptAdvertisement = defineOfferDecision({
  verb: 'accept',
  undo: 'refuse',
  value: 'Accepted',
  summary: 'accepts an offer of a provider',
  description:
    'Accepts an offer, also beyond the maximum of the ClusterConfig and against its lists. It becomes a virtual node.',
});
