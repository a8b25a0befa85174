import type { ObjectOf } from '@liqo/kube';
import { condition } from '../embedded/condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { describe, list, object } from '../schema.ts';
import { cidrPair } from './cidr-pair.ts';

export const Configuration = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'Configuration',
  plural: 'configurations',
  scope: 'Namespaced',
  shortNames: ['conf'],
  description: 'The address ranges of this cluster and of a peer.',
  columns: [
    // The blank at the end is part of the name: a script that selects the column by name expects it.
    column('Desired Pod CIDR ', '.spec.remote.cidr.pod'),
    column('Remapped Pod CIDR', '.status.remote.cidr.pod'),
    ageColumn,
    column('Desired External CIDR', '.spec.remote.cidr.external', { priority: 1 }),
    column('Remapped External CIDR', '.status.remote.cidr.external', { priority: 1 }),
    column('ClusterID', '.metadata.labels.liqo\\.io/remote-cluster-id', { priority: 1 }),
  ],
  spec: object({
    optional: {
      local: describe(cidrPair, 'The ranges of this cluster.'),
      remote: describe(cidrPair, 'The ranges of the peer.'),
    },
  }),
  status: object({
    optional: {
      conditions: list(condition<'NetworkCIDRsConfigured'>()),
      remote: describe(cidrPair, 'The ranges by which this cluster knows the peer.'),
    },
  }),
});

export type Configuration = ObjectOf<typeof Configuration>;
