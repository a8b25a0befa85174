import { defineOfferSwitch } from './define-offer-switch.ts';

export const disableOffer = defineOfferSwitch({
  verb: 'disable',
  summary: 'withdraws what this cluster offers',
  description:
    'Withdraws every offer of this cluster, the provider. The consumers drain their virtual nodes before their users and Quotas go.',
  examples: ['liqoctl offer disable'],
});
