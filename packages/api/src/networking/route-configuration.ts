import type { ObjectOf } from '@liqo/kube';
import { ageColumn, defineResource } from '../resource.ts';
import { list, object } from '../schema.ts';
import { hostCondition } from './host-condition.ts';
import { routeTable } from './route-table.ts';

export const RouteConfiguration = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'RouteConfiguration',
  plural: 'routeconfigurations',
  scope: 'Namespaced',
  shortNames: ['rcnf', 'rcnfg', 'rcfg', 'routecfg'],
  description: 'A routing table for the nodes or gateways that it is meant for.',
  columns: [ageColumn],
  spec: object({ optional: { table: routeTable } }),
  status: object({ optional: { conditions: list(hostCondition) } }),
});

export type RouteConfiguration = ObjectOf<typeof RouteConfiguration>;
