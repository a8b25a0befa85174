import type { StructuralSchema } from '../schema.ts';

/**
 * The paths at which an API server would refuse a value, or drop a part of it, by the schema alone.
 * A light stand-in for tests without a server: it knows no CEL and of the formats only `byte` and `date-time`.
 */
export function violations(schema: StructuralSchema, value: unknown, path = ''): string[] {
  if (!isOfType(schema, value) || !isInBounds(schema, value)) return [path];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      violations(schema.items ?? {}, item, `${path}[${index}]`),
    );
  }
  return isObject(value) ? objectViolations(schema, value, path) : [];
}

function objectViolations(schema: StructuralSchema, value: object, path: string): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = required.filter((name) => !(name in value)).map(at);
  const inside = Object.entries(value).flatMap(([name, field]) => {
    const known = properties[name] ?? additionalProperties;
    if (known !== undefined) return violations(known, field, at(name));
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
