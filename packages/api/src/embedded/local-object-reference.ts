import { object, string, withDefault } from '../schema.ts';

/** Names an object of the same namespace. */
export const localObjectReference = object(
  { required: { name: withDefault(string({ maxLength: 253 }), '') } },
  { 'x-kubernetes-map-type': 'atomic' },
);
