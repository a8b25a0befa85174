import type { ObjectOf } from '@liqo/kube';
import { objectReference } from '../embedded/object-reference.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { dateTime, object, string, stringEnum } from '../schema.ts';

export const Connection = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'Connection',
  plural: 'connections',
  scope: 'Namespaced',
  shortNames: ['conn'],
  description: 'The tunnel to a peer, as its gateway sees it.',
  columns: [
    column('Type', '.spec.type'),
    column('Status', '.status.value'),
    ageColumn,
    column('Latency', '.status.latency.value', { priority: 1 }),
  ],
  spec: object({ required: { type: stringEnum('Server', 'Client'), gatewayRef: objectReference } }),
  status: object({
    optional: {
      value: string<'Connected' | 'Connecting' | 'Error'>(),
      latency: object({ optional: { value: string(), timestamp: dateTime() } }),
    },
  }),
});

export type Connection = ObjectOf<typeof Connection>;
