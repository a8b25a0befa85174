import { isJsonObject } from '@liqo/kube';
import { type DecodeSource, DecodeWalk } from './decode-walk.ts';
import { isBuiltIn } from './go-type.ts';
import { oncePer } from './once-per.ts';
import { prune } from './prune.ts';
import { TypeReaders } from './type-readers.ts';
import { objectMeta, referenceTo, type Schemas, type TypeSchema } from './type-schema.ts';

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
 *
 * The object shares with the value what is canonical already: treat it as read-only.
 */
export function decodeObject(
  schemas: Schemas,
  schema: TypeSchema,
  value: unknown,
  source: DecodeSource = 'body',
): Decoded {
  if (!isBuiltIn(schema)) return decodeCustom(schemas, schema, value);
  const [{ kind = '', version } = {}] = schema['x-kubernetes-group-version-kind'] ?? [];
  const walk = new DecodeWalk(source, kind === 'CustomResourceDefinition');
  const object = readersOf(schemas).struct(schema).read(value, walk, kind, `${version}.${kind}`);
  const { unknownFields } = walk;
  return { object, unknownFields: source === 'body' ? unknownFields : unknownFields.toSorted() };
}

const readersOf = oncePer((schemas: Schemas) => new TypeReaders(schemas));

const metadataReference = referenceTo(objectMeta);

/** Unknown fields come as the server lists them: those of the metadata, then all but those of embedded metadata. */
function decodeCustom(schemas: Schemas, schema: TypeSchema, value: unknown): Decoded {
  const [own, embedded]: [string[], string[]] = [[], []];
  const readMetadata = (metadata: unknown, path: string) => {
    if (!isJsonObject(metadata)) return metadata;
    const walk = new DecodeWalk('body');
    const struct = readersOf(schemas).struct(schemas.resolve(metadataReference));
    const decoded = struct.read(metadata, walk, 'ObjectMeta', 'v1.ObjectMeta');
    const unknown = walk.unknownFields.map((field) => `${path}.${field}`);
    (path === 'metadata' ? own : embedded).push(...unknown);
    return decoded;
  };
  const { value: object, unknownFields } = prune(schema, value, readMetadata);
  return { object, unknownFields: [...own, ...unknownFields.toSorted(), ...embedded.sort()] };
}
