import { object, preserved, string } from '../schema.ts';

/** A gateway object yet to be made: its kind, and its content with Go template actions in place of values. */
export const gatewayTemplate = object({
  optional: {
    objectKind: object({ optional: { apiVersion: string(), kind: string() } }),
    template: preserved<{ readonly [field: string]: unknown }>(),
  },
});
