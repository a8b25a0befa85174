import { integer, list, object } from '../schema.ts';
import { nodeSelector, nodeSelectorTerm } from './node-selector.ts';

const preference = object({
  required: {
    preference: nodeSelectorTerm,
    weight: integer({ format: 'int32', minimum: 1, maximum: 100 }),
  },
});

export const nodeAffinity = object({
  optional: {
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
    preferredDuringSchedulingIgnoredDuringExecution: list(preference, {
      'x-kubernetes-list-type': 'atomic',
    }),
  },
});
