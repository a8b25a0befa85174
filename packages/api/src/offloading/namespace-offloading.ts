import type { ObjectOf } from '@liqo/kube';
import { mostReflectionConditions, nameLength } from '../bounds.ts';
import { nodeSelector } from '../embedded/node-selector.ts';
import { liqoCondition } from '../liqo-condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import {
  describe,
  integer,
  list,
  map,
  object,
  string,
  stringEnum,
  withDefault,
} from '../schema.ts';

export type OffloadingPhase =
  | 'Ready'
  | 'NoClusterSelected'
  | 'InProgress'
  | 'SomeFailed'
  | 'AllFailed'
  | 'Terminating';

const remoteCondition = liqoCondition(
  string<'OffloadingRequired' | 'Ready'>(),
  string<'True' | 'False' | 'Unknown'>(),
);

/** An addition to Liqo, written by the virtual kubelet that reflects. The type is the resource. */
const reflectionCondition = liqoCondition(
  string({ maxLength: 2 * nameLength, description: 'The resource, such as "configmaps".' }),
  stringEnum('True', 'False'),
);

export const NamespaceOffloading = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'NamespaceOffloading',
  plural: 'namespaceoffloadings',
  scope: 'Namespaced',
  shortNames: ['nso', 'nsof', 'nsoff', 'nsoffloading'],
  description: 'Extends its namespace to the providers that the selector picks.',
  columns: [
    column('NamespaceMappingStrategy', '.spec.namespaceMappingStrategy'),
    column('PodOffloadingStrategy', '.spec.podOffloadingStrategy'),
    column('OffloadingPhase', '.status.offloadingPhase'),
    column('RemoteNamespaceName', '.status.remoteNamespaceName', { priority: 10 }),
    ageColumn,
  ],
  spec: object({
    required: {
      namespaceMappingStrategy: withDefault(
        describe(
          stringEnum('EnforceSameName', 'DefaultName', 'SelectedName'),
          'How the namespace is called at the providers.',
        ),
        'DefaultName',
      ),
      podOffloadingStrategy: withDefault(
        describe(
          stringEnum('Local', 'Remote', 'LocalAndRemote'),
          'Where the pods of the namespace may run.',
        ),
        'LocalAndRemote',
      ),
    },
    optional: {
      remoteNamespaceName: string({ description: 'The name for the strategy SelectedName.' }),
      clusterSelector: describe(nodeSelector, 'Picks virtual nodes by label; empty picks all.'),
    },
    immutable: ['namespaceMappingStrategy', 'remoteNamespaceName'],
  }),
  status: object({
    optional: {
      offloadingPhase: string<OffloadingPhase>(),
      remoteNamespaceName: string({ description: 'The name in use at the providers.' }),
      remoteNamespacesConditions: describe(map(list(remoteCondition)), 'By cluster ID.'),
      reflectionConditions: describe(
        map(list(reflectionCondition, { maxItems: mostReflectionConditions })),
        'By cluster ID: whether the objects of a resource are reflected, and why not.',
      ),
      observedGeneration: integer({ format: 'int64' }),
    },
  }),
});

export type NamespaceOffloading = ObjectOf<typeof NamespaceOffloading>;
