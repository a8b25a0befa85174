import type { ObjectOf } from '@liqo/kube';
import { stringMap } from '../embedded/string-map.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { describe, map, object, string, stringEnum } from '../schema.ts';

const mapping = object({
  optional: {
    remoteNamespace: string(),
    phase: stringEnum('Accepted', 'CreationLoopBackOff', 'Terminating'),
    reason: string({ description: 'One word: why there is no such namespace.' }),
    message: string({ description: 'The same for people.' }),
  },
});

export const NamespaceMap = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'NamespaceMap',
  plural: 'namespacemaps',
  scope: 'Namespaced',
  shortNames: ['nm', 'nsmap'],
  description: 'The namespaces that a consumer wants at one provider (spec), and has (status).',
  columns: [column('Local', '.metadata.labels.liqo\\.io/replication'), ageColumn],
  spec: object({
    optional: {
      desiredMapping: describe(stringMap, 'Name at the provider, by name at the consumer.'),
    },
  }),
  status: object({
    optional: { currentMapping: describe(map(mapping), 'By name at the consumer.') },
  }),
});

export type NamespaceMap = ObjectOf<typeof NamespaceMap>;
