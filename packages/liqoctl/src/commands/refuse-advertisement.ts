import { defineOfferDecision } from './define-offer-decision.ts';

export const refuseAdvertisement = defineOfferDecision({
  verb: 'refuse',
  undo: 'accept',
  value: 'Refused',
  summary: 'refuses an offer of a provider',
  description:
    'Refuses an offer for as long as it exists. The virtual node of one that was accepted is drained and removed.',
});
