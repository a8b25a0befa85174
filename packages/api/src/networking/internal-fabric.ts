import type { ObjectOf } from '@liqo/kube';
import { ageColumn, column, defineResource } from '../resource.ts';
import { integer, list, object, string } from '../schema.ts';

const ipv4 = string({ format: 'ipv4' });

export const InternalFabric = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'InternalFabric',
  plural: 'internalfabrics',
  scope: 'Namespaced',
  shortNames: ['if', 'ifabric'],
  description: 'The network between the nodes of this cluster and one gateway.',
  columns: [column('Gateway IP', '.spec.gatewayIP'), ageColumn],
  spec: object({
    required: {
      gatewayIP: ipv4,
      interface: object({
        required: {
          node: object({ required: { name: string() } }),
          gateway: object({ required: { ip: ipv4 } }),
        },
      }),
    },
    optional: { mtu: integer(), remoteCIDRs: list(string({ format: 'cidr' })) },
  }),
});

export type InternalFabric = ObjectOf<typeof InternalFabric>;
