import { integer, object, string } from '../schema.ts';

/** Its words are left open: Kubernetes takes an empty one for a wildcard, and has added operators before. */
export const toleration = object({
  optional: {
    key: string(),
    operator: string(),
    value: string(),
    effect: string(),
    tolerationSeconds: integer({ format: 'int64' }),
  },
});
