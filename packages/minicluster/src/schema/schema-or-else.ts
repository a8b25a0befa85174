import { DecodeError } from './decode-error.ts';
import { referenceTo, type TypeSchema } from './type-schema.ts';

const packageName = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';
const schemaReference = referenceTo(`${packageName}JSONSchemaProps`);

/** A value that is either a JSON schema or something else, as it turned out. */
export type SchemaOrElse =
  | { readonly isSchema: true; readonly schema: TypeSchema }
  | { readonly isSchema: false; decode(): unknown };

const orBool = `${packageName}JSONSchemaPropsOrBool`;
const orArray = `${packageName}JSONSchemaPropsOrArray`;
const orStringArray = `${packageName}JSONSchemaPropsOrStringArray`;

/** Three types of CustomResourceDefinitions hold a schema or something else in its place. */
export function holdsSchemaOrElse(definition: string): boolean {
  return definition === orBool || definition === orArray || definition === orStringArray;
}

/** What a value of one of the three is. */
export function schemaOrElse(definition: string, value: unknown): SchemaOrElse {
  if (definition === orBool) {
    if (typeof value === 'boolean') return otherwise(() => value);
    return isObject(value) ? schemaFound : otherwise(refuseSchemaOrBool);
  }
  if (isObject(value)) return schemaFound;
  if (!Array.isArray(value) || value.length === 0) return otherwise(() => null);
  const items = definition === orArray ? schemaReference : ({ type: 'string' } as const);
  return { isSchema: true, schema: { type: 'array', items } };
}

/** Those of them that stay null when they are, in a list or a map, where everything else gets its zero value. */
export function staysNull(definition: string): boolean {
  return definition === orArray || definition === orStringArray;
}

const schemaFound: SchemaOrElse = { isSchema: true, schema: schemaReference };

function otherwise(decode: () => unknown): SchemaOrElse {
  return { isSchema: false, decode };
}

function refuseSchemaOrBool(): never {
  throw new DecodeError('boolean or JSON schema expected');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}
