import { isJsonObject } from '@liqo/kube';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { parseDurationFormat } from '../duration-format.ts';
import { canonicalText } from './canonical-text.ts';
import { CelObject } from './cel-object.ts';
import { escapeName } from './escape-name.ts';

/** A JSON value as rules see it: typed by its schema. Undefined for what rules cannot see, since no type is known. */
export function celValue(schema: TypeSchema, value: unknown, isResource = false): unknown {
  if (value === null) return null;
  if (schema['x-kubernetes-int-or-string']) return untypedScalar(value);
  switch (schema.type) {
    case 'integer':
      return typeof value === 'number' ? BigInt(Math.trunc(value)) : untypedScalar(value);
    case 'string':
      return typeof value === 'string' ? formattedText(schema, value) : untypedScalar(value);
    case 'array':
      return Array.isArray(value) ? celList(schema, value) : undefined;
    case 'object':
      return isJsonObject(value) ? celMembers(schema, value, isResource) : undefined;
    case 'number':
    case 'boolean':
      return value;
    default:
      return undefined;
  }
}

function untypedScalar(value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function formattedText({ format }: TypeSchema, text: string): unknown {
  switch (format) {
    case 'byte':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    case 'date':
      return new Date(`${text}T00:00:00Z`);
    case 'date-time':
      return new Date(text.toUpperCase());
    case 'duration':
      return durationOf(parseDurationFormat(text));
    default:
      return text;
  }
}

function durationOf(nanoseconds: bigint): Duration {
  const perSecond = 1_000_000_000n;
  return new Duration(nanoseconds / perSecond, Number(nanoseconds % perSecond));
}

/** Sets of scalars are compared without regard to their order. */
function celList({ items, ...schema }: TypeSchema, list: readonly unknown[]): unknown {
  if (!items) return undefined;
  const converted = list.map((item) => celValue(items, item, isEmbedded(items)));
  const isSet = schema['x-kubernetes-list-type'] === 'set';
  return isSet && items.type !== 'object' && items.type !== 'array'
    ? new Set(converted)
    : converted;
}

type Members = Readonly<Record<string, unknown>>;

function celMembers(schema: TypeSchema, object: Members, isResource: boolean): unknown {
  const { additionalProperties: others } = schema;
  if (typeof others === 'object') return celMap(others, object);
  const complete = isResource ? withTypeAndName(schema) : schema;
  const fields = Object.entries(object).flatMap(([key, member]): [string, unknown][] => {
    const [name, type] = [escapeName(key), propertyOf(complete, key)];
    const value = type && celValue(type, member, isEmbedded(type));
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return new CelObject(Object.fromEntries(fields), canonicalText(complete, object));
}

function celMap(type: TypeSchema, object: Members): Map<string, unknown> {
  const entries = Object.entries(object).map(
    ([key, member]) => [key, celValue(type, member, isEmbedded(type))] as const,
  );
  return new Map(entries);
}

function isEmbedded(schema: TypeSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/** What every resource has, whatever its schema says: of the metadata, the names. */
export function withTypeAndName(schema: TypeSchema): TypeSchema {
  const text = { type: 'string' };
  const metadata = { type: 'object', properties: { name: text, generateName: text } };
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata };
  return { ...schema, properties };
}
