import { object, string } from '../schema.ts';
import { stringList } from './string-list.ts';
import { stringMap } from './string-map.ts';

/** The metadata of an object yet to be made: only what an author may choose. */
export const templateMetadata = object({
  optional: {
    name: string(),
    namespace: string(),
    labels: stringMap,
    annotations: stringMap,
    finalizers: stringList,
  },
});
