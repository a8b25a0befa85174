import { deepEqual, isJsonObject, ownMember } from './json.ts';

/**
 * The target after an RFC 7386 patch: members are set, `null` removes them, lists are replaced whole. Neither argument
 * is changed, and the result shares with them what it can: treat it as read-only. A patch that changes nothing returns
 * the target itself. That the result still is a `T` is for the caller to see to.
 */
export function applyMergePatch<T>(target: T, patch: unknown): T {
  return merge(target, patch) as T;
}

/**
 * A patch that makes `after` of `before`: `{}` if they are equal objects. To a merge patch a member that is `null` and
 * one that is absent are the same, so they are the same here.
 */
export function diffMergePatch(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...keys].flatMap((key) => {
    const [old, wanted] = [ownMember(before, key) ?? null, ownMember(after, key) ?? null];
    return deepEqual(old, wanted) ? [] : [[key, diffMergePatch(old, wanted)] as const];
  });
  return Object.fromEntries(changes);
}

type Members = Readonly<Record<string, unknown>>;

function merge(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return deepEqual(target, patch) ? target : patch;
  return isJsonObject(target) ? mergeMembers(target, patch) : mergeMembers({}, patch);
}

function mergeMembers(target: Members, patch: Members): Members {
  const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
  const merged = new Map(Object.entries(target));
  for (const [key, value] of changes) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return hasSameMembers(target, merged) ? target : Object.fromEntries(merged);
}

function hasSameMembers(members: Members, entries: ReadonlyMap<string, unknown>): boolean {
  if (Object.keys(members).length !== entries.size) return false;
  return [...entries].every(
    ([key, value]) => Object.hasOwn(members, key) && ownMember(members, key) === value,
  );
}
