/** A value as JSON has it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

/** Any object that is not a list: what may stand between braces. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of the object's own: `undefined` for `constructor` and the like, unless it really is there. */
export function ownMember<T>(
  object: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Whether two JSON values say the same, in whatever order the members are. A member that is `undefined` counts as
 * absent: it would not reach the wire.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalObjects(a as Members, b as Members);
}

/** A copy that shares nothing with the original. JSON values only: no dates, maps or instances of classes. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return (Array.isArray(value) ? copyList(value) : copyObject(value as Members)) as T;
}

type Members = Record<string, unknown>;

// Plain loops from here on: every object that is cached, compared or patched passes through them.

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (!deepEqual(a[index], b[index])) return false;
  }
  return true;
}

function equalObjects(a: Members, b: Members): boolean {
  let unmatched = 0;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !deepEqual(value, b[key])) return false;
    unmatched += 1;
  }
  for (const key in b) {
    if (b[key] !== undefined) unmatched -= 1;
  }
  return unmatched === 0;
}

function copyList(items: readonly unknown[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < items.length; index += 1) copy.push(deepCopy(items[index]));
  return copy;
}

function copyObject(members: Members): Members {
  const copy: Members = {};
  for (const key in members) {
    if (key === '__proto__') defineMember(copy, key, deepCopy(members[key]));
    else copy[key] = deepCopy(members[key]);
  }
  return copy;
}

/** Plain assignment to `__proto__` would change what the object inherits from. */
function defineMember(members: Members, key: string, value: unknown): void {
  Object.defineProperty(members, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
