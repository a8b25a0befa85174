import type { ObjectOf } from '@liqo/kube';
import { liqoCondition } from '../liqo-condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import {
  boolean,
  describe,
  integer,
  list,
  object,
  string,
  stringEnum,
  withDefault,
} from '../schema.ts';
import { clusterID } from './cluster-id.ts';

const conditions = list(
  liqoCondition(
    stringEnum(
      'APIServerStatus',
      'NetworkConnectionStatus',
      'NetworkGatewayServerStatus',
      'NetworkGatewayClientStatus',
      'NetworkGatewayPresence',
      'NetworkConfigurationStatus',
      'AuthIdentityControlPlaneStatus',
      'AuthTenantStatus',
      'OffloadingVirtualNodeStatus',
      'OffloadingNodeStatus',
    ),
    withDefault(
      stringEnum('None', 'Pending', 'Established', 'Error', 'Ready', 'NotReady', 'SomeNotReady'),
      'None',
    ),
  ),
);

const moduleStatus = object({
  required: { enabled: boolean('Whether anything of this module is in use with the peer.') },
  optional: { conditions },
});

export const ForeignCluster = defineResource({
  apiVersion: 'core.liqo.io/v1beta1',
  kind: 'ForeignCluster',
  plural: 'foreignclusters',
  scope: 'Cluster',
  shortNames: ['fc'],
  description: 'A peer, and the state of everything we have with it.',
  columns: [
    column('Role', '.status.role'),
    column('ClusterID', '.spec.clusterID', { priority: 1 }),
    ageColumn,
  ],
  spec: object({ required: { clusterID }, immutable: ['clusterID'] }),
  status: object({
    required: {
      role: withDefault(
        describe(
          stringEnum('Consumer', 'Provider', 'ConsumerAndProvider', 'Unknown'),
          'What the peer is to us.',
        ),
        'Unknown',
      ),
    },
    optional: {
      observedGeneration: integer({ format: 'int64' }),
      modules: object({
        required: {
          networking: moduleStatus,
          authentication: moduleStatus,
          offloading: moduleStatus,
        },
      }),
      apiServerUrl: string({ description: 'Where we reach the API server of the peer.' }),
      foreignProxyUrl: string({ description: 'The proxy on the way to it, if any.' }),
      tenantNamespace: object({
        optional: {
          local: string({ description: 'The namespace about the peer in this cluster.' }),
          remote: string({ description: 'The namespace about this cluster at the peer.' }),
        },
      }),
      conditions,
    },
  }),
});

export type ForeignCluster = ObjectOf<typeof ForeignCluster>;
