import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { list, object, preserved, string } from '../schema.ts';

const containers = list(preserved(object({ required: { name: string() } })), {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});

/** Only what no pod can do without is checked here: the API server that is given the pod knows the rest. */
export const podSpec = preserved<PodSpec>(
  object({
    required: { containers: { ...containers, minItems: 1 } },
    optional: { initContainers: containers },
  }),
);
