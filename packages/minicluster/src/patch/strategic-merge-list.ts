import { isJsonObject } from '@liqo/kube';
import { goTypeName, printGoValue } from './go-format.ts';
import { patchFault, unmergeablePatch } from './patch-fault.ts';

type Members = Readonly<Record<string, unknown>>;

/** How the items of a list are merged. */
export interface ListMerge {
  readonly strategy: string;
  /** Empty for lists of plain values. */
  readonly mergeKey: string;
  mergeItems(original: Members, patch: Members): Members;
}

interface Orders {
  /** The order that the patch asks for. */
  readonly wanted: readonly unknown[];
  readonly live: readonly unknown[];
  readonly patch: readonly unknown[];
}

/** Both lists as one: items of the patch in its order, and between them, where they were, items it does not know of. */
export function mergeLists(
  list: ListMerge,
  original: readonly unknown[],
  patch: readonly unknown[],
  isDeletion: boolean,
): readonly unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (!holdsMaps(original, patch)) return mergePlain(list, original, patch, isDeletion);
  if (list.mergeKey === '') throw patchFault('cannot merge lists without merge key for struct');
  const { kept, changes } = obeyDirectives(list, original, patch);
  const merged = mergeByKey(list, kept, changes);
  return interleave(list, merged, changes, kept);
}

function mergePlain(
  list: ListMerge,
  original: readonly unknown[],
  patch: readonly unknown[],
  isDeletion: boolean,
): readonly unknown[] {
  if (isDeletion) {
    const deleted = new Set(patch);
    return original.filter((item) => !deleted.has(item));
  }
  const both = [...new Set([...original, ...patch])];
  return interleave({ ...list, mergeKey: '' }, both, patch, original);
}

/** The merged list in the order the patch asks for by `$setElementOrder`. */
export function orderBy(
  list: ListMerge,
  merged: readonly unknown[],
  { wanted, live, patch }: Orders,
): readonly unknown[] {
  holdsMaps(live, patch);
  return interleave(list, merged, wanted, live);
}

/**
 * The order of the live list that `$setElementOrder` falls back on. Items that the patch adds take the places at the end
 * that its deletions leave free: in the server this is one list, changed in place.
 */
export function liveOrder(
  list: ListMerge,
  original: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  if (list.strategy !== 'merge' || list.mergeKey === '') return original;
  const { kept, changes, isReplaced } = obeyDirectives(list, original, patch);
  if (isReplaced) return original;
  const keys = new Set(kept.map((item) => keyIn(list, item)));
  const added = changes.filter((item) => !keys.has(keyIn(list, item)));
  return [...kept, ...added].slice(0, original.length);
}

/** Items of the patch must be in the order it asks for, and all of them must be part of that order. */
export function refuseOtherOrder(
  list: ListMerge,
  patch: readonly unknown[],
  wanted: readonly unknown[],
): void {
  if (patch.length === 0 || wanted.length === 0) return;
  const kept = patch.filter((item) => !isDirective(item) || item.$patch !== 'delete');
  let [next, place] = [0, 0];
  while (next < kept.length && place < wanted.length) {
    if (isDirective(kept[next])) {
      next += 1;
      continue;
    }
    if (keyOf(list, kept[next]) === keyOf(list, wanted[place])) next += 1;
    place += 1;
  }
  if (next === kept.length) return;
  throw patchFault(
    `The order in patch list:\n${printGoValue(patch)}\n doesn't match $setElementOrder list:\n${printGoValue(wanted)}\n`,
  );
}

/** Whether the items are maps. All must be of one type, and lists they cannot be. */
function holdsMaps(...lists: readonly (readonly unknown[])[]): boolean {
  const [first, ...others] = lists.flat();
  if (first === undefined) throw patchFault('no elements in any of the given slices');
  if (Array.isArray(first)) throw unmergeablePatch();
  const type = goTypeName(first);
  if (others.every((item) => goTypeName(item) === type)) return isJsonObject(first);
  throw patchFault(`list element types are not identical: ${printGoValue(lists)}`);
}

/** What is left of both lists once the items that are directives have had their way. */
function obeyDirectives(
  list: ListMerge,
  original: readonly unknown[],
  patch: readonly unknown[],
): { kept: readonly unknown[]; changes: readonly unknown[]; isReplaced: boolean } {
  const changes = patch.filter((item) => !isDirective(item));
  const directives = patch.filter(isDirective);
  const deleted = new Set<unknown>();
  for (const item of directives) if (isDeletion(item)) deleted.add(keyOf(list, item));
  const isReplaced = directives.some(({ $patch }) => $patch === 'replace');
  if (isReplaced) return { kept: changes, changes: [], isReplaced };
  const kept = original.filter((item) => !deleted.has(keyIn(list, item)));
  return { kept, changes, isReplaced };
}

function isDeletion(item: Members): boolean {
  const { $patch: how } = item;
  if (how === 'delete') return true;
  if (how === 'replace') return false;
  if (how === 'merge') throw patchFault('merging lists cannot yet be specified in the patch');
  throw patchFault(`unknown patch type: ${printGoValue(how)} in map: ${printGoValue(item)}`);
}

function isDirective(item: unknown): item is Members {
  return isJsonObject(item) && Object.hasOwn(item, '$patch');
}

function mergeByKey(
  list: ListMerge,
  original: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const merged = [...original];
  for (const change of patch as readonly Members[]) {
    const key = keyOf(list, change);
    const place = merged.findIndex((item) => keyIn(list, item) === key);
    if (place < 0) merged.push(change);
    else merged[place] = list.mergeItems(merged[place] as Members, change);
  }
  return merged;
}

/**
 * The merged items, those of `wanted` in its order and the others in the order of `live`. One of the others comes
 * before one that is wanted if it did so in `live`; new items come first.
 */
function interleave(
  list: ListMerge,
  merged: readonly unknown[],
  wanted: readonly unknown[],
  live: readonly unknown[],
): readonly unknown[] {
  for (const item of merged) keyOf(list, item);
  const placeIn = (items: readonly unknown[]) => {
    const places = new Map<unknown, number>();
    for (const [place, item] of items.entries()) {
      const key = keyIn(list, item);
      if (!places.has(key)) places.set(key, place);
    }
    return (item: unknown) => places.get(keyIn(list, item)) ?? -1;
  };
  const [wantedPlace, livePlace] = [placeIn(wanted), placeIn(live)];
  const isWanted = (item: unknown) => wantedPlace(item) >= 0;
  const ours = merged.filter(isWanted).sort((a, b) => wantedPlace(a) - wantedPlace(b));
  const others = merged
    .filter((item) => !isWanted(item))
    .sort((a, b) => livePlace(a) - livePlace(b));
  const result: unknown[] = [];
  for (const item of ours) {
    while (others.length > 0 && comesBefore(livePlace(others[0]), livePlace(item))) {
      result.push(others.shift());
    }
    result.push(item);
  }
  return [...result, ...others];
}

function comesBefore(place: number, other: number): boolean {
  return place >= 0 && other >= 0 && place < other;
}

/** What tells an item from the others; a map that has no such thing is an error. */
function keyOf(list: ListMerge, item: unknown): unknown {
  if (list.mergeKey === '') return item;
  if (!isJsonObject(item)) {
    throw patchFault(`expected a map[string]interface {}, but received a ${goTypeName(item)}`);
  }
  if (Object.hasOwn(item, list.mergeKey)) return item[list.mergeKey];
  throw patchFault(
    `map: ${printGoValue(item)} does not contain declared merge key: ${list.mergeKey}`,
  );
}

function keyIn(list: ListMerge, item: unknown): unknown {
  return list.mergeKey !== '' && isJsonObject(item) ? item[list.mergeKey] : item;
}
