import { map, string } from '../schema.ts';

/** Labels, annotations, node selectors. */
export const stringMap = map(string());
