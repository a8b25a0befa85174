import type { ObjectOf } from '@liqo/kube';
import { podSpec } from '../embedded/pod-spec.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { object, string, stringEnum, withDefault } from '../schema.ts';

/** One consumer writes it, and whole: to note down for every field who wrote it would cost a quarter of the write. */
const pod = { ...podSpec, 'x-kubernetes-map-type': 'atomic' } as const;

export const ShadowPod = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'ShadowPod',
  plural: 'shadowpods',
  scope: 'Namespaced',
  shortNames: ['shp', 'shpod'],
  description: 'A pod of a consumer: from it the provider makes the pod, and makes it again.',
  columns: [column('Status', '.status.phase'), ageColumn],
  spec: object({ optional: { pod } }),
  status: object({
    required: {
      phase: withDefault(
        stringEnum('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
        'Unknown',
      ),
    },
    optional: {
      reason: string({
        description: 'One word: why there is no pod, or why it cannot be changed.',
      }),
      message: string({ description: 'The same for people.' }),
    },
  }),
});

export type ShadowPod = ObjectOf<typeof ShadowPod>;
