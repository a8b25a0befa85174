import type { ObjectOf } from '@liqo/kube';
import { objectReference } from '../embedded/object-reference.ts';
import { defineResource } from '../resource.ts';
import { integer, object } from '../schema.ts';

export const GeneveTunnel = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'GeneveTunnel',
  plural: 'genevetunnels',
  scope: 'Namespaced',
  shortNames: ['gvtn'],
  description: 'The link between one node and one gateway.',
  spec: object({
    required: {
      id: integer({ format: 'int64', minimum: 0, maximum: 4294967295 }),
      internalNodeRef: objectReference,
      internalFabricRef: objectReference,
    },
  }),
});

export type GeneveTunnel = ObjectOf<typeof GeneveTunnel>;
