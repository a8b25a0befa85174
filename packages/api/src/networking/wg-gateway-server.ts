import type { ObjectOf } from '@liqo/kube';
import { deploymentTemplate } from '../embedded/deployment-template.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { objectReference } from '../embedded/object-reference.ts';
import { serviceTemplate } from '../embedded/service-template.ts';
import { defineResource } from '../resource.ts';
import { object } from '../schema.ts';
import { gatewayEndpoint, internalEndpoint } from './gateway-endpoint.ts';
import { gatewayMetrics } from './gateway-metrics.ts';

export const WgGatewayServer = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'WgGatewayServer',
  plural: 'wggatewayservers',
  scope: 'Namespaced',
  shortNames: ['wgs', 'wggs'],
  description: 'A gateway server on WireGuard.',
  spec: object({
    required: { service: serviceTemplate, deployment: deploymentTemplate },
    optional: { metrics: gatewayMetrics, secretRef: localObjectReference },
  }),
  status: object({
    optional: { secretRef: objectReference, endpoint: gatewayEndpoint, internalEndpoint },
  }),
});

export type WgGatewayServer = ObjectOf<typeof WgGatewayServer>;
