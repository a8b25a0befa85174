import builtInSchemas from '../../../minicluster/src/schema/built-in-schemas.json' with {
  type: 'json',
};

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

/** What Kubernetes 1.35 says of itself, as recorded for minicluster. */
const schemas: Readonly<Record<string, Schema>> = builtInSchemas;

/** The names of the fields of a type of the core group, in order. */
export function fieldsOf(type: string): string[] {
  return Object.keys(coreSchema(type).properties ?? {}).sort();
}

/** Some value of a field, with every field below it filled in to a depth that any translation reaches. */
export function sampleField(type: string, field: string): unknown {
  return sample(coreSchema(type).properties?.[field] ?? {}, field, 6);
}

/** Some object of a kind with every field, by the name of its schema. */
export function sampleKind(schema: string): unknown {
  return sample(schemas[schema] ?? {}, schema, 8);
}

function coreSchema(type: string): Schema {
  return schemas[`io.k8s.api.core.v1.${type}`] ?? {};
}

function sample(schema: Schema, name: string, depth: number): unknown {
  const { type, format, items, properties, additionalProperties } = resolve(schema);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 7;
  if (type === 'array') return depth > 0 ? [sample(items ?? {}, name, depth - 1)] : [];
  if (type === 'object' && depth > 0) {
    if (additionalProperties) return { key: sample(additionalProperties, name, depth - 1) };
    return sampleObject(properties ?? {}, depth);
  }
  if (type === 'object') return {};
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : `some-${name.toLowerCase()}`;
}

function sampleObject(properties: Readonly<Record<string, Schema>>, depth: number): unknown {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sample(schema, name, depth - 1)]),
  );
}

function resolve(schema: Schema): Schema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) return schema.oneOf?.[0] ?? schema;
  return resolve(schemas[reference.split('/').at(-1) ?? ''] ?? {});
}
