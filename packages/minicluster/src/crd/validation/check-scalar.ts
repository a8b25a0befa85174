import type { TypeSchema } from '../../schema/type-schema.ts';
import { matchesPattern } from '../pattern.ts';
import { knownFormatOf } from './check-type.ts';
import { hasFormat } from './formats.ts';
import { printFloat, printNumber } from './go-number.ts';
import { invalidValue, tooLong, type ValueProblem, wrongType } from './value-problem.ts';

/** The first fault in the order length, pattern: the server does not tell of more. */
export function checkString(schema: TypeSchema, text: string, name: string): ValueProblem[] {
  const { maxLength, minLength, pattern } = schema;
  const shown = JSON.stringify(text);
  const length = [...text].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(name, maxLength)];
  if (minLength !== undefined && length < minLength) {
    return [invalidValue(name, shown, `should be at least ${minLength} chars long`)];
  }
  if (pattern && !matchesPattern(pattern, text)) {
    return [invalidValue(name, shown, `should match '${pattern}'`)];
  }
  return [];
}

export function checkFormat(schema: TypeSchema, text: string, name: string): ValueProblem[] {
  const format = knownFormatOf(schema);
  return format === '' || hasFormat(format, text) ? [] : [wrongType(name, format, text)];
}

export function checkNumber(schema: TypeSchema, value: number, name: string): ValueProblem[] {
  return [
    ...checkMultiple(schema, value, name),
    ...checkMinimum(schema, value, name),
    ...checkMaximum(schema, value, name),
  ];
}

function checkMultiple({ multipleOf }: TypeSchema, value: number, name: string): ValueProblem[] {
  if (multipleOf === undefined) return [];
  const factor = nativeLimit(value, multipleOf);
  if (Number.isInteger(value / factor)) return [];
  return [problem(value, name, `should be a multiple of ${print(value, factor)}`)];
}

function checkMinimum(schema: TypeSchema, value: number, name: string): ValueProblem[] {
  const { minimum, exclusiveMinimum } = schema;
  if (minimum === undefined) return [];
  const limit = nativeLimit(value, minimum);
  if (exclusiveMinimum ? value > limit : value >= limit) return [];
  const relation = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
  return [problem(value, name, `should be ${relation} ${print(value, limit)}`)];
}

function checkMaximum(schema: TypeSchema, value: number, name: string): ValueProblem[] {
  const { maximum, exclusiveMaximum } = schema;
  if (maximum === undefined) return [];
  const limit = nativeLimit(value, maximum);
  if (exclusiveMaximum ? value < limit : value <= limit) return [];
  const relation = exclusiveMaximum ? 'less than' : 'less than or equal to';
  return [problem(value, name, `should be ${relation} ${print(value, limit)}`)];
}

/** The real server compares integers with the integer part of a limit. */
function nativeLimit(value: number, limit: number): number {
  const whole = Math.trunc(limit);
  return Number.isSafeInteger(value) && whole !== 0 ? whole : limit;
}

/** A limit is printed as what it was compared with. */
function print(value: number, limit: number): string {
  return Number.isSafeInteger(value) ? printNumber(limit) : printFloat(limit);
}

function problem(value: number, name: string, fact: string): ValueProblem {
  return invalidValue(name, printNumber(value), fact);
}
