import type { ObjectOf } from '@liqo/kube';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { objectReference } from '../embedded/object-reference.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { describe, integer, object } from '../schema.ts';
import { gatewayEndpoint, internalEndpoint } from './gateway-endpoint.ts';

export const GatewayClient = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'GatewayClient',
  plural: 'gatewayclients',
  scope: 'Namespaced',
  shortNames: ['gwc', 'gwclient'],
  description: 'The end of a tunnel that calls the peer.',
  columns: [
    column('Template Kind', '.spec.clientTemplateRef.kind', { priority: 1 }),
    column('Template Name', '.spec.clientTemplateRef.name'),
    column('Template Namespace', '.spec.clientTemplateRef.namespace', { priority: 1 }),
    column('IP', '.spec.endpoint.addresses[*]'),
    column('Port', '.spec.endpoint.port'),
    column('Protocol', '.spec.endpoint.protocol', { priority: 1 }),
    column('MTU', '.spec.mtu', { type: 'integer', priority: 1 }),
    ageColumn,
  ],
  spec: object({
    optional: {
      clientTemplateRef: objectReference,
      mtu: integer(),
      endpoint: describe(gatewayEndpoint, 'Where the server of the peer waits.'),
      secretRef: describe(localObjectReference, 'The keys of the tunnel.'),
    },
  }),
  status: object({
    optional: {
      clientRef: describe(objectReference, 'The gateway made from the template.'),
      secretRef: objectReference,
      internalEndpoint,
    },
  }),
});

export type GatewayClient = ObjectOf<typeof GatewayClient>;
