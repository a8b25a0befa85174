import type { ObjectOf } from '@liqo/kube';
import { defineResource } from '../resource.ts';
import { gatewayTemplate } from './gateway-template.ts';

export const WgGatewayServerTemplate = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'WgGatewayServerTemplate',
  plural: 'wggatewayservertemplates',
  scope: 'Namespaced',
  shortNames: ['wggst', 'wgst'],
  description: 'What a WgGatewayServer is made from.',
  spec: gatewayTemplate,
});

export type WgGatewayServerTemplate = ObjectOf<typeof WgGatewayServerTemplate>;
