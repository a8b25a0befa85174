import { deepEqual, isJsonObject, ownMember } from './json.ts';
import type { JsonPatchOperation } from './json-patch.ts';
import { childPointer } from './json-pointer.ts';

/**
 * A patch that makes `after` of `before`; empty if they are equal. Objects are compared member by member, lists item by
 * item from where they start to differ to where they are the same again, so that one item more or less is one operation.
 */
export function diffJson(before: unknown, after: unknown): JsonPatchOperation[] {
  return diffAt('', before, after);
}

function diffAt(path: string, before: unknown, after: unknown): JsonPatchOperation[] {
  if (deepEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(path, before, after);
  if (isJsonObject(before) && isJsonObject(after)) return diffObjects(path, before, after);
  return [{ op: 'replace', path, value: after }];
}

type Members = Readonly<Record<string, unknown>>;

function diffObjects(path: string, before: Members, after: Members): JsonPatchOperation[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    return diffMember(childPointer(path, key), ownMember(before, key), ownMember(after, key));
  });
}

function diffMember(path: string, before: unknown, after: unknown): JsonPatchOperation[] {
  if (before !== undefined && after !== undefined) return diffAt(path, before, after);
  if (after !== undefined) return [{ op: 'add', path, value: after }];
  return before === undefined ? [] : [{ op: 'remove', path }];
}

type Items = readonly unknown[];

function diffLists(path: string, before: Items, after: Items): JsonPatchOperation[] {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const paired = Math.min(removed.length, added.length);
  const at = (offset: number) => childPointer(path, start + offset);

  const changes = removed
    .slice(0, paired)
    .flatMap((item, offset) => diffAt(at(offset), item, added[offset]));
  const removals = removed
    .slice(paired)
    .map((): JsonPatchOperation => ({ op: 'remove', path: at(paired) }));
  const additions = added
    .slice(paired)
    .map((value, offset): JsonPatchOperation => ({ op: 'add', path: at(paired + offset), value }));
  return [...changes, ...removals, ...additions];
}

function commonStart(a: Items, b: Items): number {
  let length = 0;
  while (length < a.length && length < b.length && deepEqual(a[length], b[length])) length += 1;
  return length;
}

function commonEnd(a: Items, b: Items): number {
  return commonStart(a.toReversed(), b.toReversed());
}
