import { list, object, string } from '../schema.ts';

const cidrs = list(string({ format: 'cidr' }));

/** The address ranges of a cluster: of its pods, and of what it reaches on behalf of others. */
export const cidrPair = object({
  optional: { cidr: object({ optional: { pod: cidrs, external: cidrs } }) },
});
