import type { ObjectOf } from '@liqo/kube';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { objectReference } from '../embedded/object-reference.ts';
import { stringMap } from '../embedded/string-map.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { describe, integer, object, string, stringEnum, withDefault } from '../schema.ts';
import { gatewayEndpoint, internalEndpoint, portNumber } from './gateway-endpoint.ts';

const endpoint = object({
  required: {
    serviceType: withDefault(
      stringEnum('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
      'ClusterIP',
    ),
  },
  optional: { port: portNumber, nodePort: portNumber, loadBalancerIP: string() },
});

export const GatewayServer = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'GatewayServer',
  plural: 'gatewayservers',
  scope: 'Namespaced',
  shortNames: ['gws', 'gwserver'],
  description: 'The end of a tunnel that waits for the peer.',
  columns: [
    column('Template Kind', '.spec.serverTemplateRef.kind', { priority: 1 }),
    column('Template Name', '.spec.serverTemplateRef.name'),
    column('Template Namespace', '.spec.serverTemplateRef.namespace', { priority: 1 }),
    column('IP', '.status.endpoint.addresses[*]'),
    column('Port', '.status.endpoint.port'),
    column('Protocol', '.status.endpoint.protocol', { priority: 1 }),
    column('MTU', '.spec.mtu', { type: 'integer', priority: 1 }),
    ageColumn,
  ],
  spec: object({
    optional: {
      serverTemplateRef: objectReference,
      mtu: integer(),
      endpoint: describe(endpoint, 'How the server is exposed.'),
      secretRef: describe(localObjectReference, 'The keys of the tunnel.'),
      serviceAnnotations: stringMap,
      serviceLabels: stringMap,
    },
  }),
  status: object({
    optional: {
      serverRef: describe(objectReference, 'The gateway made from the template.'),
      endpoint: describe(gatewayEndpoint, 'Where the peer reaches the server.'),
      secretRef: objectReference,
      internalEndpoint,
    },
  }),
});

export type GatewayServer = ObjectOf<typeof GatewayServer>;
