import { deepCopy, isJsonObject } from '@liqo/kube';
import type { TypeSchema } from '../schema/type-schema.ts';
import { memberSchema } from './validation/correlation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Fills in the defaults of a schema. A null where null is not allowed counts as left out: it gets the default, or goes
 * if there is none. In lists it stays, for validation to refuse. Doing it twice changes nothing more, and
 * a value that lacks nothing comes back itself.
 */
export function withDefaultValues(schema: TypeSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return defaultItems(schema?.items, value);
  return isJsonObject(value) ? defaultMembers(schema, value) : value;
}

function defaultItems(items: TypeSchema | undefined, list: readonly unknown[]): readonly unknown[] {
  const filled = list.map((item) =>
    withDefaultValues(items, isUnwanted(items, item) ? given(items) : item),
  );
  return filled.every((item, index) => item === list[index]) ? list : filled;
}

function defaultMembers(schema: TypeSchema | undefined, object: Members): Members {
  const keys = Object.keys(object);
  const members = keys.map((key) =>
    defaultMember(schema && memberSchema(schema, key), object[key]),
  );
  const absent = absentMembers(schema, object);
  const isComplete = absent.length === 0;
  if (isComplete && keys.every((key, index) => object[key] === members[index])) return object;
  const present = keys.map((key, index) => [key, members[index]] as const);
  return Object.fromEntries([...present.filter(([, member]) => member !== undefined), ...absent]);
}

/** Undefined when nothing is left of it. */
function defaultMember(type: TypeSchema | undefined, member: unknown): unknown {
  if (!isUnwanted(type, member)) return withDefaultValues(type, member);
  return type?.default === undefined ? undefined : withDefaultValues(type, given(type));
}

function absentMembers(schema: TypeSchema | undefined, object: Members): [string, unknown][] {
  const { properties = {} } = schema ?? {};
  const absent: [string, unknown][] = [];
  for (const key in properties) {
    const type = properties[key];
    if (type?.default === undefined || Object.hasOwn(object, key)) continue;
    absent.push([key, withDefaultValues(type, given(type))]);
  }
  return absent;
}

function isUnwanted(type: TypeSchema | undefined, value: unknown): boolean {
  return value === null && type !== undefined && !type.nullable;
}

function given(type: TypeSchema | undefined): unknown {
  return deepCopy(type?.default ?? null);
}
