import { propertyOf, type TypeSchema } from '../schema/type-schema.ts';

/** A path into a schema, as `fieldPath` of a rule and `jsonPath` of a selectable field have it. */
export interface SchemaPath {
  /** As fields of problems are written: `deep.x`, `labels[a/b]`. */
  readonly text: string;
  readonly root: string;
  readonly schema: TypeSchema;
}

/** A path that leads nowhere. `message` is what the API server says of it. */
export class SchemaPathError extends Error {
  override readonly name = 'SchemaPathError';
}

const token = /\.(?<name>[^.[\]]+)|\['(?<key>(?:[^'\\]|\\.)*)'\]/y;

/** Reads `.spec.labels['a/b']`: every step must be a property, or a key of a map. */
export function parseSchemaPath(schema: TypeSchema, path: string): SchemaPath {
  let [text, current, root] = ['', schema, ''];
  for (let position = 0; position < path.length; position = token.lastIndex) {
    token.lastIndex = position;
    const { name, key } = token.exec(path)?.groups ?? {};
    const step = name ?? key?.replaceAll(/\\(.)/g, '$1');
    if (step === undefined) {
      throw new SchemaPathError(`expected [ or . but got: ${path.slice(position)}`);
    }
    const isProperty = current.properties !== undefined;
    text += isProperty ? `${text && '.'}${step}` : `[${step}]`;
    root ||= step;
    current = follow(current, step);
  }
  return { text, root, schema: current };
}

function follow(schema: TypeSchema, step: string): TypeSchema {
  const { properties, additionalProperties: others } = schema;
  const next = properties ? propertyOf(schema, step) : others;
  if (typeof next === 'object') return next;
  throw new SchemaPathError('does not refer to a valid field');
}
