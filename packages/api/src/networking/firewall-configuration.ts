import type { ObjectOf } from '@liqo/kube';
import { ageColumn, defineResource } from '../resource.ts';
import { list, object } from '../schema.ts';
import { firewallTable } from './firewall-table.ts';
import { hostCondition } from './host-condition.ts';

export const FirewallConfiguration = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'FirewallConfiguration',
  plural: 'firewallconfigurations',
  scope: 'Namespaced',
  shortNames: ['fw', 'fwconfig', 'fwcfg'],
  description: 'A table of nftables for the nodes or gateways that it is meant for.',
  columns: [ageColumn],
  spec: object({ required: { table: firewallTable } }),
  status: object({ optional: { conditions: list(hostCondition) } }),
});

export type FirewallConfiguration = ObjectOf<typeof FirewallConfiguration>;
