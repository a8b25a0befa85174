import {
  definitionName,
  propertyOf,
  type Schemas,
  type TypeSchema,
} from '../schema/type-schema.ts';
import { patchFault } from './patch-fault.ts';

/** How a strategic merge patch treats a field. */
export interface PatchMeta {
  readonly type: TypeSchema;
  /** `merge`, `replace`, or nothing: then lists are replaced and maps are merged. */
  readonly strategy: string;
  /** What the items of a list are told apart by; empty for lists of plain values. */
  readonly mergeKey: string;
}

export function patchMetaOf(schemas: Schemas, node: TypeSchema, field: string): PatchMeta {
  const schema = schemas.resolve(node);
  const property = propertyOf(schema, field);
  if (!property) throw patchFault(whyNotFound(node, schema, field));
  const strategies = property['x-kubernetes-patch-strategy']?.split(',') ?? [];
  return {
    type: property,
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: property['x-kubernetes-patch-merge-key'] ?? '',
  };
}

/** Below a map of anything the server has no types to go by. */
function whyNotFound(node: TypeSchema, schema: TypeSchema, field: string): string {
  if (schema.additionalProperties !== undefined) {
    return 'merging an object in json but data type is not struct, instead is: map';
  }
  const name = definitionName(node)?.split('.').at(-1) ?? '';
  return `unable to find api field in struct ${name} for the json field ${JSON.stringify(field)}`;
}
