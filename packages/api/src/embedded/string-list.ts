import { list, string } from '../schema.ts';

export const stringList = list(string());

/** A list that server-side apply replaces as a whole. */
export const atomicStringList = list(string(), { 'x-kubernetes-list-type': 'atomic' });
