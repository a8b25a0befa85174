import { isJsonObject } from '@liqo/kube';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { isKnownFormat } from './formats.ts';
import { type ValueProblem, wrongType } from './value-problem.ts';

/** The JSON types that a node takes. */
function typesOf(schema: TypeSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/** Undefined when the node says nothing of types. */
export function checkType(
  schema: TypeSchema,
  value: unknown,
  name: string,
): ValueProblem | 'fits' | undefined {
  const types = typesOf(schema);
  const format = knownFormatOf(schema);
  if (types.length === 0 && format === '') return undefined;
  if (value === null) return checkNull(types, schema, name);
  const found = jsonType(value);
  if (fits(types, found, value)) return 'fits';
  if (format !== '' && typeof value !== 'string' && !Array.isArray(value)) {
    return wrongType(name, format, storedFormat(value));
  }
  const isTextual = !types.includes('number') && !types.includes('integer');
  if (format !== '' && isTextual) return 'fits';
  return wrongType(name, types.join(','), found);
}

function checkNull(types: readonly string[], schema: TypeSchema, name: string) {
  if (types.length === 0 || schema.nullable) return 'fits';
  return wrongType(name, types.join(','), 'null');
}

function fits(types: readonly string[], found: string, value: unknown): boolean {
  if (types.includes(found)) return true;
  if (found === 'integer') return types.includes('number');
  return found === 'number' && types.includes('integer') && Number.isInteger(value);
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** What the real server calls the format of a value that has none of its own. */
function storedFormat(value: unknown): string {
  if (typeof value !== 'number') return '';
  return Number.isInteger(value) ? 'int64' : 'float64';
}

/** Formats that the server does not know are no more than a hint to readers. */
export function knownFormatOf({ format = '' }: TypeSchema): string {
  return isKnownFormat(format) ? format : '';
}
