import type { ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { integer, list, object, preserved } from '../schema.ts';
import { templateMetadata } from './template-metadata.ts';

const ports = list(
  preserved(
    object({ required: { port: integer({ format: 'int32', minimum: 1, maximum: 65535 }) } }),
  ),
);

/** A Service yet to be made. */
export const serviceTemplate = object({
  optional: {
    metadata: templateMetadata,
    spec: preserved<ServiceSpec>(object({ optional: { ports } })),
  },
});
