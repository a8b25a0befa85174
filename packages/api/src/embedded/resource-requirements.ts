import { list, object, string } from '../schema.ts';
import { resourceList } from './resource-list.ts';

const claim = object({ required: { name: string() }, optional: { request: string() } });

/** What a container asks for, and what it may use at most. */
export const resourceRequirements = object({
  optional: {
    requests: resourceList,
    limits: resourceList,
    claims: list(claim, {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  },
});
