import { list, object, string, stringEnum } from '../schema.ts';
import { atomicStringList } from './string-list.ts';

const requirement = object({
  required: {
    key: string(),
    operator: stringEnum('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  },
  optional: { values: atomicStringList },
});

const requirements = list(requirement, { 'x-kubernetes-list-type': 'atomic' });

/** All of its requirements must hold. */
export const nodeSelectorTerm = object(
  { optional: { matchExpressions: requirements, matchFields: requirements } },
  { 'x-kubernetes-map-type': 'atomic' },
);

/** One of its terms must hold. */
export const nodeSelector = object(
  {
    required: { nodeSelectorTerms: list(nodeSelectorTerm, { 'x-kubernetes-list-type': 'atomic' }) },
  },
  { 'x-kubernetes-map-type': 'atomic' },
);
