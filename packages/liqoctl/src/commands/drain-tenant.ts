import { lookAtDrain } from '../cluster/look-at-tenant-slices.ts';
import { defineTenantCommand } from './define-tenant-command.ts';

export const drainTenant = defineTenantCommand({
  verb: 'drain',
  to: 'Drained',
  from: ['Active', 'Cordoned'],
  summary: 'takes back all that a consumer has here',
  description:
    'Drains a consumer of this cluster, the provider: its rights, its slices and its namespaces with the pods in them are\n' +
    'removed, and it gets nothing until liqoctl activate tenant lets it in again.',
  warning: (consumer) =>
    `"${consumer}" will lose its slices and its namespaces here, with all pods in them.`,
  done: 'is drained',
  effect: {
    waitingFor: (consumer) => `for all of "${consumer}" to be gone`,
    done: (consumer) => `"${consumer}" has nothing left here`,
    look: lookAtDrain,
  },
});
