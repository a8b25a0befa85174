import { integer, object } from '../schema.ts';
import { atomicStringList } from './string-list.ts';

/** An image that a node has already. */
export const containerImage = object({
  optional: { names: atomicStringList, sizeBytes: integer({ format: 'int64' }) },
});
