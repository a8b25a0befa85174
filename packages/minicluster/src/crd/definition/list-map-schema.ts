import { forbidden, invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { keyPath } from '../field-path.ts';

/** A list-map has keys, which all of its items have. */
export function validateListMap(field: string, schema: TypeSchema): FieldProblem[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'map')
    return keys.length > 0 ? [notAMap(field, listType)] : itemsOfSet(field, schema);
  const missing = required(
    `${field}.x-kubernetes-list-map-keys`,
    'must not be empty if x-kubernetes-list-type is map',
  );
  return [...(keys.length === 0 ? [missing] : []), ...validateItems(field, schema, keys)];
}

function notAMap(field: string, listType: string | undefined): FieldProblem {
  const place = `${field}.x-kubernetes-list-type`;
  const rule = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return listType === undefined ? required(place, rule) : invalid(place, listType, rule);
}

function itemsOfSet(field: string, schema: TypeSchema): FieldProblem[] {
  if (schema['x-kubernetes-list-type'] !== 'set' || !schema.items?.nullable) return [];
  return [notNullable(field, 'set')];
}

function notNullable(field: string, listType: string): FieldProblem {
  const rule = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return forbidden(`${field}.items.nullable`, rule);
}

function validateItems(
  field: string,
  { items }: TypeSchema,
  keys: readonly string[],
): FieldProblem[] {
  if (!items) {
    return [required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  }
  const { type = '' } = items;
  if (type !== 'object') {
    const rule = "must be object if parent array's x-kubernetes-list-type is map";
    return [invalid(`${field}.items.type`, type, rule)];
  }
  return [
    ...keys.flatMap((_, index) => validateKey(field, items, keys, index)),
    ...(items.nullable ? [notNullable(field, 'map')] : []),
  ];
}

function validateKey(
  field: string,
  items: TypeSchema,
  keys: readonly string[],
  index: number,
): FieldProblem[] {
  const key = keys[index] ?? '';
  const property = propertyOf(items, key);
  const list = `${field}.x-kubernetes-list-map-keys`;
  const isRepeated = keys.indexOf(key) < index;
  return [
    ...(property
      ? validateKeyProperty(keyPath(`${field}.items.properties`, key), items, key, property)
      : [invalid(list, keys, 'entries must all be names of item properties')]),
    ...(isRepeated ? [invalid(list, keys, 'must not contain duplicate entries')] : []),
  ];
}

function validateKeyProperty(
  field: string,
  items: TypeSchema,
  key: string,
  property: TypeSchema,
): FieldProblem[] {
  const isScalar = property.type !== 'array' && property.type !== 'object';
  const isSet = items.required?.includes(key) || property.default !== undefined;
  const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map";
  const why = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(isScalar ? [] : [invalid(`${field}.type`, items.type, scalar)]),
    ...(isSet
      ? []
      : [required(`${field}.default`, `${why} must have a default or be a required property`)]),
    ...(property.nullable ? [forbidden(`${field}.nullable`, `${why} cannot be nullable`)] : []),
  ];
}
