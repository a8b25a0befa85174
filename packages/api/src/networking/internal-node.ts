import type { ObjectOf } from '@liqo/kube';
import { ageColumn, column, defineResource } from '../resource.ts';
import { object, string } from '../schema.ts';

const ipv4 = string({ format: 'ipv4' });

export const InternalNode = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'InternalNode',
  plural: 'internalnodes',
  scope: 'Cluster',
  shortNames: ['in', 'inode'],
  description: 'A node of this cluster, as its gateways reach it.',
  columns: [
    column('Node IP Local', '.status.nodeIP.local'),
    column('Node IP Remote', '.status.nodeIP.remote'),
    ageColumn,
  ],
  spec: object({
    required: {
      interface: object({
        required: {
          gateway: object({ required: { name: string() } }),
          node: object({ required: { ip: ipv4 } }),
        },
      }),
    },
  }),
  status: object({
    required: { nodeIP: object({ optional: { local: ipv4, remote: ipv4 } }) },
  }),
});

export type InternalNode = ObjectOf<typeof InternalNode>;
