import { deepEqual, isJsonObject } from '@liqo/kube';
import { duplicate, invalid } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { childPath, keyPath } from '../field-path.ts';
import { listMapKey } from './list-map.ts';

/** Items of a set, and the keys of a list-map, are there once. */
export function validateListTypes(schema: TypeSchema, value: unknown, path = ''): FieldProblem[] {
  if (Array.isArray(value)) return validateList(schema, value, path);
  if (!isJsonObject(value)) return [];
  const { additionalProperties: others } = schema;
  return Object.entries(value).flatMap(([key, member]) => {
    const property = propertyOf(schema, key);
    if (property) return validateListTypes(property, member, childPath(path, key));
    return typeof others === 'object' ? validateListTypes(others, member, keyPath(path, key)) : [];
  });
}

function validateList(schema: TypeSchema, list: readonly unknown[], path: string): FieldProblem[] {
  const { items } = schema;
  const below = items
    ? list.flatMap((item, index) => validateListTypes(items, item, `${path}[${index}]`))
    : [];
  return [...uniquenessProblems(schema, list, path), ...below];
}

function uniquenessProblems(
  schema: TypeSchema,
  list: readonly unknown[],
  path: string,
): FieldProblem[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeated(list).map((index) => duplicate(`${path}[${index}]`, list[index]));
    case 'map':
      return listMapProblems(schema, list, path);
    default:
      return [];
  }
}

function listMapProblems(
  schema: TypeSchema,
  list: readonly unknown[],
  path: string,
): FieldProblem[] {
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0) {
    const rule = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${odd}]`, list[odd], rule)];
  }
  const keys = list.map((item) => listMapKey(schema, item));
  return repeated(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]));
}

/** Where an item is met for the second time; a third time is not told. */
function repeated(list: readonly unknown[]): number[] {
  return list.flatMap((item, index) => {
    const earlier = list.slice(0, index).filter((other) => deepEqual(other, item)).length;
    return earlier === 1 ? [index] : [];
  });
}
