import { builtInSchemas } from './built-in-schemas.ts';
import { objectMeta, referenceTo, Schemas, type TypeSchema } from './type-schema.ts';

/** A type and the definitions its references are looked up in. */
export interface CustomSchemas {
  readonly schemas: Schemas;
  readonly schema: TypeSchema;
}

/** Marks a node below one that preserves unknown fields: server-side apply takes unknown fields there, too. */
export const belowPreserved = 'x-below-preserve-unknown-fields';

const managedFieldsEntry = 'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry';
const fieldsV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1';
const ownerReference = 'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference';
const time = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time';

/**
 * The structural schema of a version of a CustomResourceDefinition (its `openAPIV3Schema`) in the form of the built-in
 * types: with `apiVersion`, `kind` and `metadata`, at the top as well as in embedded resources. Without a schema any
 * field is taken.
 */
export function customSchemas(openAPIV3Schema: TypeSchema = anything): CustomSchemas {
  return { schemas: metadataSchemas, schema: asObject(complete(openAPIV3Schema, false)) };
}

const anything: TypeSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const metadataSchemas = new Schemas(
  Object.fromEntries(
    [objectMeta, managedFieldsEntry, fieldsV1, ownerReference, time].map((name) => [
      name,
      builtInSchemas().definition(name) ?? {},
    ]),
  ),
);

function complete(node: TypeSchema, inherits: boolean): TypeSchema {
  const preserves = inherits || node['x-kubernetes-preserve-unknown-fields'] === true;
  const { properties, items, additionalProperties } = node;
  const completed: TypeSchema = {
    ...node,
    ...(preserves && { [belowPreserved]: true }),
    ...(properties && { properties: completeAll(properties, preserves) }),
    ...(items && { items: complete(items, preserves) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: complete(additionalProperties, preserves),
    }),
  };
  return node['x-kubernetes-embedded-resource'] === true ? asObject(completed) : completed;
}

function completeAll(
  properties: Readonly<Record<string, TypeSchema>>,
  preserves: boolean,
): Record<string, TypeSchema> {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, node]) => [name, complete(node, preserves)]));
}

/** Whatever the author wrote about these three: their types are not his to choose. */
function asObject(node: TypeSchema): TypeSchema {
  const standard = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: referenceTo(objectMeta),
  };
  return { ...node, properties: { ...node.properties, ...standard } };
}
