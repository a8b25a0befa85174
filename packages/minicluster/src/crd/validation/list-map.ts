import { deepEqual, isJsonObject } from '@liqo/kube';
import type { TypeSchema } from '../../schema/type-schema.ts';

/** What identifies an item of a list-map: its keys, with the ones that are not set left out. */
export function listMapKey(schema: TypeSchema, item: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(item)) return {};
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const set = keys.filter((key) => Object.hasOwn(item, key));
  return Object.fromEntries(set.map((key) => [key, item[key]]));
}

/** The item of a list with the same keys; undefined for lists of other types, where nothing identifies an item. */
export function findListMapItem(
  schema: TypeSchema,
  list: readonly unknown[],
  like: unknown,
): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !isJsonObject(like)) return undefined;
  const key = listMapKey(schema, like);
  return list.find((item) => deepEqual(listMapKey(schema, item), key));
}
