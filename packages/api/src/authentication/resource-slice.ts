import type { ObjectOf } from '@liqo/kube';
import { certificateRequestLength, nameLength } from '../bounds.ts';
import { clusterID } from '../core/cluster-id.ts';
import { capacity, resourceList } from '../embedded/resource-list.ts';
import { stringMap } from '../embedded/string-map.ts';
import { liqoCondition } from '../liqo-condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { bytes, describe, list, object, string, stringEnum } from '../schema.ts';
import { authParams } from './auth-params.ts';
import { offeredClasses } from './offered-classes.ts';

const condition = liqoCondition(
  stringEnum('Authentication', 'Resources'),
  stringEnum('Accepted', 'Denied'),
);

export const ResourceSlice = defineResource({
  apiVersion: 'authentication.liqo.io/v1beta1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  scope: 'Namespaced',
  shortNames: ['rslice'],
  description: 'Resources that a consumer asks for (spec) and that a provider grants (status).',
  columns: [
    column('Authentication', '.status.conditions[?(@.type=="Authentication")].status'),
    column('Resources', '.status.conditions[?(@.type=="Resources")].status'),
    ageColumn,
  ],
  spec: object({
    optional: {
      consumerClusterID: clusterID,
      providerClusterID: clusterID,
      resources: describe(capacity, 'What is asked for; the provider fills in the rest.'),
      class: string({
        description: 'Who decides at the provider; empty means "default".',
        maxLength: nameLength,
      }),
      csr: bytes('PEM certificate request of the consumer, for the pods of this slice.', {
        maxLength: certificateRequestLength,
      }),
    },
    setOnce: ['consumerClusterID', 'providerClusterID'],
  }),
  status: object({
    optional: {
      conditions: list(condition),
      resources: describe(resourceList, 'What is granted.'),
      authParams,
      ...offeredClasses,
      nodeLabels: describe(stringMap, 'Labels for the virtual node.'),
      nodeSelector: describe(stringMap, 'Where the pods of the slice must run at the provider.'),
    },
  }),
});

export type ResourceSlice = ObjectOf<typeof ResourceSlice>;
