import { isJsonObject, ownMember } from '@liqo/kube';

/** The value at a path of an object; undefined where there is none. */
export function valueAt(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const key of path) value = isJsonObject(value) ? ownMember(value, key) : undefined;
  return value;
}

/**
 * The text at a path of an object; undefined where there is none, or something else: mutating webhooks are called before the API
 * server compares an object with the schema of its kind.
 */
export function textAt(object: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : undefined;
}
