import type { ObjectOf } from '@liqo/kube';
import { defineResource } from '../resource.ts';
import { gatewayTemplate } from './gateway-template.ts';

export const WgGatewayClientTemplate = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'WgGatewayClientTemplate',
  plural: 'wggatewayclienttemplates',
  scope: 'Namespaced',
  shortNames: ['wggct', 'wgct'],
  description: 'What a WgGatewayClient is made from.',
  spec: gatewayTemplate,
});

export type WgGatewayClientTemplate = ObjectOf<typeof WgGatewayClientTemplate>;
