import type { ObjectOf } from '@liqo/kube';
import { objectReference } from '../embedded/object-reference.ts';
import { serviceTemplate } from '../embedded/service-template.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { boolean, describe, object, settledOnceSet, string } from '../schema.ts';

export const IP = defineResource({
  apiVersion: 'ipam.liqo.io/v1alpha1',
  kind: 'IP',
  plural: 'ips',
  scope: 'Namespaced',
  description: 'An address, and the one by which the peers know it.',
  columns: [
    column('Local IP', '.spec.ip'),
    column('Remapped IP', '.status.ip'),
    column('Remapped IP CIDR', '.status.cidr'),
    ageColumn,
  ],
  spec: object({
    required: { ip: string({ format: 'ipv4' }) },
    optional: {
      networkRef: describe(objectReference, 'The Network that the other address comes from.'),
      serviceTemplate: describe(serviceTemplate, 'The Service in front of the other address.'),
      masquerade: boolean('Whether the source of its traffic is hidden.'),
    },
    immutable: ['ip'],
  }),
  status: object({
    optional: {
      ip: settledOnceSet(string({ format: 'ipv4' })),
      cidr: settledOnceSet(string({ format: 'cidr' })),
    },
  }),
});

export type IP = ObjectOf<typeof IP>;
