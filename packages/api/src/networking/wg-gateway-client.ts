import type { ObjectOf } from '@liqo/kube';
import { deploymentTemplate } from '../embedded/deployment-template.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { objectReference } from '../embedded/object-reference.ts';
import { defineResource } from '../resource.ts';
import { object } from '../schema.ts';
import { internalEndpoint } from './gateway-endpoint.ts';
import { gatewayMetrics } from './gateway-metrics.ts';

export const WgGatewayClient = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'WgGatewayClient',
  plural: 'wggatewayclients',
  scope: 'Namespaced',
  shortNames: ['wgc', 'wggc'],
  description: 'A gateway client on WireGuard.',
  spec: object({
    required: { deployment: deploymentTemplate },
    optional: { metrics: gatewayMetrics, secretRef: localObjectReference },
  }),
  status: object({ optional: { secretRef: objectReference, internalEndpoint } }),
});

export type WgGatewayClient = ObjectOf<typeof WgGatewayClient>;
