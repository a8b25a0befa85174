import { type Infer, map, quantity } from '../schema.ts';

/** Quantities by resource name: `{ cpu: '4', memory: '8Gi' }`. */
export const resourceList = map(quantity());

export type ResourceList = Infer<typeof resourceList>;
