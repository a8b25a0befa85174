import { list, object, string } from '../schema.ts';
import { capacity } from './resource-list.ts';
import { atomicStringList } from './string-list.ts';

const scopeRequirement = object({
  required: { scopeName: string(), operator: string() },
  optional: { values: atomicStringList },
});

export const resourceQuotaSpec = object({
  optional: {
    hard: capacity,
    scopes: atomicStringList,
    scopeSelector: object(
      {
        optional: {
          matchExpressions: list(scopeRequirement, { 'x-kubernetes-list-type': 'atomic' }),
        },
      },
      { 'x-kubernetes-map-type': 'atomic' },
    ),
  },
});
