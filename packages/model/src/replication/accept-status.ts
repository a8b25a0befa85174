import type { StructuralSchema } from '@liqo/api';
import { type FittedValue, fitSchema } from './fit-schema.ts';

/** As JSON. A provider must not fill the store of its consumers. */
const longestStatus = 512 * 1024;

/** What a consumer takes over of the status that a provider wrote into a copy. Undefined: nothing, it is too large. */
export function acceptStatus(schema: StructuralSchema, status: unknown): FittedValue | undefined {
  if (JSON.stringify(status).length > longestStatus) return undefined;
  return fitSchema(schema, status);
}
