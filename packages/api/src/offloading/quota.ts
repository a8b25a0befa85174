import type { ObjectOf } from '@liqo/kube';
import { capacity } from '../embedded/resource-list.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { boolean, describe, object, string, stringEnum } from '../schema.ts';

export const Quota = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'Quota',
  plural: 'quotas',
  scope: 'Namespaced',
  shortNames: ['qt'],
  description: 'What the shadow pods of one user may take from this cluster, all together.',
  columns: [
    column('Enforcement', '.spec.limitsEnforcement'),
    column('Cordoned', '.spec.cordoned', { type: 'boolean' }),
    ageColumn,
    column('User', '.spec.user', { priority: 1 }),
  ],
  spec: object({
    required: {
      user: string({ minLength: 1, description: 'The user name of the slice or offer.' }),
      resources: capacity,
    },
    optional: {
      limitsEnforcement: describe(
        stringEnum('Hard', 'Soft', 'None'),
        'Soft: containers request CPU and memory. Hard: and their limits equal their requests. None: neither.',
      ),
      cordoned: boolean('Whether new pods are refused.'),
    },
    immutable: ['user'],
  }),
});

export type Quota = ObjectOf<typeof Quota>;
