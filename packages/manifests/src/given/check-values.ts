import { isJsonObject, ownMember } from '@liqo/kube';
import { isSection, type Section, type ValueSchema, valueGuide } from '../chart/value-guide.ts';

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
    return isSection(guide)
      ? checkSection(value, guide, below)
      : checkValue(value, guide.schema, below);
  });
}

function checkValue(value: unknown, schema: ValueSchema, path: string): readonly string[] {
  switch (schema.type) {
    case 'array':
      return checkList(value, schema, path);
    case 'object':
      return isJsonObject(value) ? checkMap(value, schema, path) : [`"${path}" must be a map`];
    case 'integer':
      return checkInteger(value, schema, path);
    case 'boolean':
    case 'string':
      if (typeof value !== schema.type) {
        return [`"${path}" must be a ${schema.type}, not ${JSON.stringify(value)}`];
      }
      return typeof value === 'string' ? checkText(value, schema, path) : [];
  }
}

function checkList(value: unknown, { items }: ValueSchema, path: string): readonly string[] {
  const what = items?.type === 'string' ? 'strings' : 'maps';
  if (!Array.isArray(value)) return [`"${path}" must be a list of ${what}`];
  if (items?.type === 'string') {
    const isList = value.every((item) => typeof item === 'string');
    return isList ? [] : [`"${path}" must be a list of strings`];
  }
  return items ? value.flatMap((item, at) => checkValue(item, items, `${path}[${at}]`)) : [];
}

function checkMap(
  map: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties, propertyNames }: ValueSchema,
  path: string,
): readonly string[] {
  const missing = required.filter((key) => ownMember(map, key) === undefined);
  const faults = Object.entries(map).flatMap(([key, value]) => {
    const schema = ownMember(properties, key) ?? additionalProperties;
    const isKnown = schema !== false && (propertyNames?.enum.includes(key) ?? true);
    if (!isKnown) return [`there is no value "${path}.${key}"`];
    return schema ? checkValue(value, schema, `${path}.${key}`) : [];
  });
  return [...missing.map((key) => `"${path}" must have "${key}"`), ...faults];
}

function checkInteger(
  value: unknown,
  { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: ValueSchema,
  path: string,
): readonly string[] {
  if (!Number.isSafeInteger(value)) return [`"${path}" must be an integer`];
  const number = value as number;
  if (number < minimum) return [`"${path}" must be at least ${minimum}`];
  return number > maximum ? [`"${path}" must be at most ${maximum}`] : [];
}

function checkText(
  text: string,
  { enum: choices, pattern, minLength = 0, maxLength }: ValueSchema,
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
