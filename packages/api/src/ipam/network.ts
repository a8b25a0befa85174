import type { ObjectOf } from '@liqo/kube';
import { ageColumn, column, defineResource } from '../resource.ts';
import { integer, object, string } from '../schema.ts';

export const Network = defineResource({
  apiVersion: 'ipam.liqo.io/v1alpha1',
  kind: 'Network',
  plural: 'networks',
  scope: 'Namespaced',
  shortNames: ['net'],
  description: 'A range of addresses, remapped when another one overlaps it.',
  columns: [
    column('Desired CIDR', '.spec.cidr'),
    column('Remapped CIDR', '.status.cidr'),
    ageColumn,
  ],
  spec: object({
    required: { cidr: string({ format: 'cidr' }) },
    optional: {
      preAllocated: integer({
        format: 'int64',
        minimum: 0,
        maximum: 4294967295,
        description: 'How many of its first addresses are taken from the start.',
      }),
    },
    immutable: ['cidr', 'preAllocated'],
  }),
  status: object({ optional: { cidr: string({ format: 'cidr' }) } }),
});

export type Network = ObjectOf<typeof Network>;
