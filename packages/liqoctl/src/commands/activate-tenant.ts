import { lookAtCordon } from '../cluster/look-at-tenant-slices.ts';
import { defineTenantCommand } from './define-tenant-command.ts';

export const activateTenant = defineTenantCommand({
  verb: 'activate',
  to: 'Active',
  from: ['Cordoned', 'Drained'],
  summary: 'lets a drained or cordoned consumer in again',
  description:
    'Gives a consumer of this cluster, the provider, its rights back. Its control plane then restores its slices and its\n' +
    'namespaces by itself.',
  done: 'is active',
  effect: {
    waitingFor: (consumer) => `for "${consumer}" to be let in`,
    done: (consumer) => `"${consumer}" is let in`,
    look: lookAtCordon(false),
  },
});
