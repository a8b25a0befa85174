import type { Container, PodSpec, Toleration, Volume } from 'kubernetes-types/core/v1.d.ts';
import { nameLength } from '../bounds.ts';
import { list, object, preserved, string } from '../schema.ts';

const named = object({ required: { name: string({ maxLength: nameLength }) } });

const containers = list(preserved<Container>(named), {
  maxItems: 200,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});

/**
 * Only what no pod can do without is checked here, and how much there is of what decisions are made by: the API server that is
 * given the pod knows the rest.
 */
export const podSpec = preserved<PodSpec>(
  object({
    required: { containers: { ...containers, minItems: 1 } },
    optional: {
      initContainers: containers,
      ephemeralContainers: list(preserved<Container>(named), { maxItems: 200 }),
      tolerations: list(preserved<Toleration>(), { maxItems: 200 }),
      volumes: list(preserved<Volume>(named), { maxItems: 500 }),
    },
  }),
);
