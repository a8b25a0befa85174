import { lookAtCordon } from '../cluster/look-at-tenant-slices.ts';
import { defineTenantCommand } from './define-tenant-command.ts';

export const uncordonTenant = defineTenantCommand({
  verb: 'uncordon',
  to: 'Active',
  from: ['Cordoned'],
  summary: 'ends the cordon of a consumer',
  description: 'Lets a consumer of this cluster, the provider, have new slices and new pods again.',
  done: 'is active',
  effect: {
    waitingFor: (consumer) => `for the cordon of the slices of "${consumer}" to be lifted`,
    done: (consumer) => `"${consumer}" may get slices and pods again`,
    look: lookAtCordon(false),
  },
});
