import { ownMember } from '@liqo/kube';
import type { StructuralSchema } from './schema.ts';

/**
 * The paths at which an API server would refuse a value, or drop a part of it, by the schema alone.
 * It knows no CEL and of the formats only `byte` and `date-time`.
 */
export function violations(schema: StructuralSchema, value: unknown): string[] {
  return violationsAt('', schema, value, 'refused');
}

/** The same, for a value that is not going to be stored: fields that the schema does not know are ignored. */
export function violationsOfKnown(schema: StructuralSchema, value: unknown): string[] {
  return violationsAt('', schema, value, 'ignored');
}

type UnknownFields = 'ignored' | 'refused';

function violationsAt(
  path: string,
  schema: StructuralSchema,
  value: unknown,
  unknown: UnknownFields,
): string[] {
  if (!isOfType(schema, value) || !isInBounds(schema, value)) return [path];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      violationsAt(`${path}[${index}]`, schema.items ?? {}, item, unknown),
    );
  }
  return isObject(value) ? objectViolations(path, schema, value, unknown) : [];
}

function objectViolations(
  path: string,
  schema: StructuralSchema,
  value: object,
  unknown: UnknownFields,
): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map(at);
  const inside = Object.entries(value).flatMap(([name, field]) => {
    const known = ownMember(properties, name) ?? additionalProperties;
    if (known !== undefined) return violationsAt(at(name), known, field, unknown);
    if (unknown === 'ignored') return [];
    return schema.type === 'object' && !isOpen(schema) ? [at(name)] : [];
  });
  return [...missing, ...inside];
}

/** Without `properties` an object is opaque to us: only metadata is, and the server knows its fields by itself. */
function isOpen(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.properties === undefined;
}

const hasType = {
  array: Array.isArray,
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: Number.isInteger,
  object: isObject,
  string: (value: unknown) => typeof value === 'string',
};

function isOfType(schema: StructuralSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string']) return hasType.string(value) || hasType.integer(value);
  return schema.type === undefined || hasType[schema.type](value);
}

function isInBounds(schema: StructuralSchema, value: unknown): boolean {
  if (typeof value === 'string') return isGoodText(schema, value);
  if (typeof value === 'number') return isWithin(value, schema.minimum, schema.maximum);
  if (Array.isArray(value)) return isWithin(value.length, schema.minItems, schema.maxItems);
  if (!isObject(value)) return true;
  return isWithin(Object.keys(value).length, schema.minProperties, schema.maxProperties);
}

function isGoodText(schema: StructuralSchema, text: string): boolean {
  const { pattern, format, minLength, maxLength } = schema;
  return (
    (schema.enum?.includes(text) ?? true) &&
    (pattern === undefined || new RegExp(pattern).test(text)) &&
    (format !== 'byte' || /^[A-Za-z0-9+/]*={0,2}$/.test(text)) &&
    (format !== 'date-time' || !Number.isNaN(Date.parse(text))) &&
    isWithin(text.length, minLength, maxLength)
  );
}

function isWithin(value: number, minimum = -Infinity, maximum = Infinity): boolean {
  return minimum <= value && value <= maximum;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
