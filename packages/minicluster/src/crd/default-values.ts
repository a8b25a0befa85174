import { deepCopy, isJsonObject } from '@liqo/kube';
import { propertyOf, type TypeSchema } from '../schema/type-schema.ts';
import { memberSchema } from './validation/correlation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Fills in the defaults of a schema. A null where null is not allowed counts as left out: it gets the default, or goes
 * if there is none. In lists it stays, for validation to refuse. Doing it twice changes nothing more.
 */
export function withDefaultValues(schema: TypeSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return defaultItems(schema?.items, value);
  return isJsonObject(value) ? defaultMembers(schema, value) : value;
}

function defaultItems(items: TypeSchema | undefined, list: readonly unknown[]): unknown[] {
  return list.map((item) =>
    withDefaultValues(items, isUnwanted(items, item) ? given(items) : item),
  );
}

function defaultMembers(schema: TypeSchema | undefined, object: Members): Members {
  const members = Object.entries(object).flatMap(([key, member]): [string, unknown][] => {
    const type = schema && memberSchema(schema, key);
    if (!isUnwanted(type, member)) return [[key, withDefaultValues(type, member)]];
    return type?.default === undefined ? [] : [[key, withDefaultValues(type, given(type))]];
  });
  return Object.fromEntries([...members, ...absentMembers(schema, object)]);
}

function absentMembers(schema: TypeSchema | undefined, object: Members): [string, unknown][] {
  const absent = Object.keys(schema?.properties ?? {}).filter((key) => !Object.hasOwn(object, key));
  return absent.flatMap((key): [string, unknown][] => {
    const type = schema && propertyOf(schema, key);
    return type?.default === undefined ? [] : [[key, withDefaultValues(type, given(type))]];
  });
}

function isUnwanted(type: TypeSchema | undefined, value: unknown): boolean {
  return value === null && type !== undefined && !type.nullable;
}

function given(type: TypeSchema | undefined): unknown {
  return deepCopy(type?.default ?? null);
}
