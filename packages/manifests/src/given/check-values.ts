import { isJsonObject, ownMember } from '@liqo/kube';
import { isSection, type Section, type ValueGuide, valueGuide } from '../chart/value-guide.ts';

/** What is wrong with values that are given, each as a clause: the checks of `values.schema.json`. */
export function checkValues(given: unknown): readonly string[] {
  return checkSection(given, valueGuide, '');
}

function checkSection(given: unknown, { values }: Section, path: string): readonly string[] {
  if (!isJsonObject(given)) return [`${path === '' ? 'the values' : `"${path}"`} must be a map`];
  return Object.entries(given).flatMap(([key, value]) => {
    const below = path === '' ? key : `${path}.${key}`;
    const guide = ownMember(values, key);
    if (guide === undefined) return [`there is no value "${below}"`];
    return isSection(guide) ? checkSection(value, guide, below) : checkValue(value, guide, below);
  });
}

function checkValue(value: unknown, { schema }: ValueGuide, path: string): readonly string[] {
  if (schema.type === 'array') {
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return isList ? [] : [`"${path}" must be a list of strings`];
  }
  if (schema.type === 'integer') return checkInteger(value, schema, path);
  const isOfType = typeof value === schema.type;
  if (!isOfType) return [`"${path}" must be a ${schema.type}, not ${JSON.stringify(value)}`];
  return typeof value === 'string' ? checkText(value, schema, path) : [];
}

function checkInteger(
  value: unknown,
  { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: ValueGuide['schema'],
  path: string,
): readonly string[] {
  if (!Number.isSafeInteger(value)) return [`"${path}" must be an integer`];
  const number = value as number;
  if (number < minimum) return [`"${path}" must be at least ${minimum}`];
  return number > maximum ? [`"${path}" must be at most ${maximum}`] : [];
}

function checkText(
  text: string,
  { enum: choices, pattern, minLength = 0, maxLength }: ValueGuide['schema'],
  path: string,
): readonly string[] {
  if (choices && !choices.includes(text)) {
    return [`"${path}" must be one of ${choices.map((one) => `"${one}"`).join(', ')}`];
  }
  if (text.length < minLength) return [`"${path}" must not be empty`];
  if (maxLength !== undefined && text.length > maxLength) {
    return [`"${path}" must have at most ${maxLength} characters`];
  }
  if (pattern === undefined || new RegExp(pattern).test(text)) return [];
  return [`"${path}" must match ${pattern}`];
}
