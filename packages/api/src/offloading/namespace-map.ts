import type { ObjectOf } from '@liqo/kube';
import { nameLength } from '../bounds.ts';
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

/** A name that is none is refused by itself: it must not keep the others from the provider. */
const desiredMapping = map(string({ maxLength: nameLength }), {
  maxProperties: 5_000,
  'x-kubernetes-validations': [
    {
      rule: 'self.all(name, size(name) <= 63)',
      message: 'keys are names of namespaces, of at most 63 characters',
    },
  ],
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
      desiredMapping: describe(desiredMapping, 'Name at the provider, by name at the consumer.'),
    },
  }),
  status: object({
    optional: { currentMapping: describe(map(mapping), 'By name at the consumer.') },
  }),
});

export type NamespaceMap = ObjectOf<typeof NamespaceMap>;
