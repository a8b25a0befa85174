import { lookAtCordon } from '../cluster/look-at-tenant-slices.ts';
import { defineTenantCommand } from './define-tenant-command.ts';

export const cordonTenant = defineTenantCommand({
  verb: 'cordon',
  to: 'Cordoned',
  from: ['Active'],
  summary: 'gives a consumer nothing new',
  description:
    'Cordons a consumer of this cluster, the provider: it gets no new slices and no new pods. What it has goes on running.\n' +
    'liqoctl uncordon tenant undoes it.',
  warning: (consumer) => `"${consumer}" will get no new slices and no new pods here.`,
  done: 'is cordoned',
  effect: {
    waitingFor: (consumer) => `for the slices of "${consumer}" to be cordoned`,
    done: (consumer) => `"${consumer}" gets nothing new`,
    look: lookAtCordon(true),
  },
});
