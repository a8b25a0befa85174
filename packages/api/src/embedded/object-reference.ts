import { object, string } from '../schema.ts';

/** Names an object of any kind and namespace. */
export const objectReference = object(
  {
    optional: {
      apiVersion: string(),
      kind: string(),
      namespace: string(),
      name: string(),
      uid: string(),
      resourceVersion: string(),
      fieldPath: string(),
    },
  },
  { 'x-kubernetes-map-type': 'atomic' },
);
