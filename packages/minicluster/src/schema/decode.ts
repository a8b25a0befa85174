import { isJsonObject } from '@liqo/kube';
import { isBuiltIn } from './go-type.ts';
import { prune } from './prune.ts';
import type { Schemas, TypeSchema } from './type-schema.ts';
import { type DecodeSource, TypedDecoder } from './typed-decoder.ts';

export type { DecodeSource };

export interface Decoded {
  /** The object as the server would write it back: known fields only, in canonical spelling. */
  readonly object: unknown;
  /** The fields that were dropped, `spec.containers[0].foo`, in the order of the document. */
  readonly unknownFields: readonly string[];
}

/**
 * Reads a JSON value as an object of a type, as the server does. Nothing is defaulted.
 *
 * Of a built-in type: what is null counts as absent, unknown fields are dropped, quantities, times and base64 are
 * brought into canonical form, and what is always there (`status: {}`) appears. Throws a `DecodeError` in the server's
 * words when a value is of the wrong type.
 *
 * Of a custom type: unknown fields are dropped, unless the schema preserves them; the metadata is read as that of
 * built-in types. The rest is left for validation to check.
 */
export function decodeObject(
  schemas: Schemas,
  schema: TypeSchema,
  value: unknown,
  source: DecodeSource = 'body',
): Decoded {
  if (!isBuiltIn(schema)) return decodeCustom(schemas, schema, value);
  const decoder = new TypedDecoder(schemas, source);
  const object = decoder.decodeRoot(schema, value);
  const { unknownFields } = decoder;
  return { object, unknownFields: source === 'body' ? unknownFields : unknownFields.toSorted() };
}

/** Unknown fields come as the server lists them: those of the metadata, then all but those of embedded metadata. */
function decodeCustom(schemas: Schemas, schema: TypeSchema, value: unknown): Decoded {
  const [own, embedded]: [string[], string[]] = [[], []];
  const readMetadata = (metadata: unknown, path: string) => {
    if (!isJsonObject(metadata)) return metadata;
    const decoder = new TypedDecoder(schemas, 'body');
    const decoded = decoder.decodeMetadata(metadata);
    const unknown = decoder.unknownFields.map((field) => `${path}.${field}`);
    (path === 'metadata' ? own : embedded).push(...unknown);
    return decoded;
  };
  const { value: object, unknownFields } = prune(schema, value, readMetadata);
  return { object, unknownFields: [...own, ...unknownFields.toSorted(), ...embedded.sort()] };
}
