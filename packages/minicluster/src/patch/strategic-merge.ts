import { isJsonObject } from '@liqo/kube';
import { type Decoded, decodeObject } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-error.ts';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { goTypeName, printGoValue } from './go-format.ts';
import { invalidPatch, malformedPatch, patchFault } from './patch-fault.ts';
import { patchMetaOf } from './patch-meta.ts';
import {
  type ListMerge,
  liveOrder,
  mergeLists,
  orderBy,
  refuseOtherOrder,
} from './strategic-merge-list.ts';

type Members = Readonly<Record<string, unknown>>;

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletion = '$deleteFromPrimitiveList';
const order = '$setElementOrder';

/**
 * The object after a strategic merge patch, read as an object of its type. Throws an `ApiError` in the server's words,
 * whether the patch makes no sense or what comes of it is no such object.
 */
export function patchStrategically(
  schemas: Schemas,
  schema: TypeSchema,
  live: unknown,
  patch: object,
): Decoded {
  const merged = strategicMerge(schemas, schema, live, patch);
  try {
    return decodeObject(schemas, schema, merged, 'strategic-merge');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidPatch(printGoValue(patch), error.message);
  }
}

/**
 * A strategic merge patch: as a merge patch, except that the type says which lists are merged by key instead of
 * replaced, and that the patch may hold directives. Neither argument is changed, and the result shares with them what
 * it can. It may hold nulls and unknown fields, which decoding drops.
 */
export function strategicMerge(
  schemas: Schemas,
  schema: TypeSchema,
  original: unknown,
  patch: object,
): unknown {
  const live = isJsonObject(original) ? original : {};
  return new StrategicMerge(schemas).mergeMaps(live, patch as Members, schema);
}

class StrategicMerge {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  mergeMaps(original: Members, patch: Members, node: TypeSchema): Members {
    if (Object.hasOwn(patch, directive)) return replaceWhole(patch);
    const { [retainKeys]: _, ...changes } = patch;
    const merged = new Map(Object.entries(retained(original, patch)));
    const rest = this.#mergeOrdered(merged, changes, node);
    for (const [key, value] of Object.entries(rest)) this.#mergeMember(merged, key, value, node);
    return Object.fromEntries(merged);
  }

  /** Lists whose order the patch dictates, merged; gives the members of the patch that are left. */
  #mergeOrdered(merged: Map<string, unknown>, patch: Members, node: TypeSchema): Members {
    const ordered = Object.keys(patch).filter((key) => key.startsWith(order));
    if (ordered.length === 0) return patch;
    const done = new Set(ordered);
    for (const key of ordered) {
      const field = fieldOf(key, order, 'invalid patch format of setElementOrder list');
      const isMerged = this.#mergeInOrder(merged, field, patch, asList(patch[key]), node);
      if (isMerged) done.add(field);
    }
    return Object.fromEntries(Object.entries(patch).filter(([key]) => !done.has(key)));
  }

  #mergeInOrder(
    merged: Map<string, unknown>,
    field: string,
    patch: Members,
    wanted: readonly unknown[],
    node: TypeSchema,
  ): boolean {
    const original = merged.has(field) ? asList(merged.get(field)) : undefined;
    const changes = Object.hasOwn(patch, field) ? asList(patch[field]) : undefined;
    const list = this.#listMerge(node, field);
    refuseOtherOrder(list, changes ?? [], wanted);
    if (!original && !changes) return false;
    const both = this.#mergeFound(original, changes, list);
    const live = liveOrder(list, original ?? [], changes ?? []);
    merged.set(field, orderBy(list, both, { wanted, live, patch: changes ?? [] }));
    return changes !== undefined;
  }

  #mergeFound(
    original: readonly unknown[] | undefined,
    changes: readonly unknown[] | undefined,
    list: ListMerge,
  ): readonly unknown[] {
    if (!changes) return original ?? [];
    if (!original) return withoutDirectives(changes) as unknown[];
    return list.strategy === 'merge' ? mergeLists(list, original, changes, false) : changes;
  }

  #mergeMember(merged: Map<string, unknown>, key: string, value: unknown, node: TypeSchema): void {
    const isDeletion = key.startsWith(deletion);
    const field = isDeletion
      ? fieldOf(key, deletion, 'invalid patch format of primitive list')
      : key;
    if (value === null) {
      merged.delete(field);
      return;
    }
    const original = merged.get(field);
    if (goTypeName(original) !== goTypeName(value)) {
      if (!isDeletion) setOrDelete(merged, field, withoutDirectives(withoutNulls(value)));
      return;
    }
    setOrDelete(merged, field, this.#mergeSameType(field, original, value, node, isDeletion));
  }

  #mergeSameType(
    field: string,
    original: unknown,
    value: unknown,
    node: TypeSchema,
    isDeletion: boolean,
  ): unknown {
    if (isJsonObject(original) && isJsonObject(value)) {
      const { type, strategy } = patchMetaOf(this.#schemas, node, field);
      return strategy === 'replace' ? value : this.mergeMaps(original, value, type);
    }
    if (!Array.isArray(original) || !Array.isArray(value)) return value;
    const list = this.#listMerge(node, field);
    const isMerged = isDeletion || list.strategy === 'merge';
    return isMerged ? mergeLists(list, original, value, isDeletion) : value;
  }

  #listMerge(node: TypeSchema, field: string): ListMerge {
    const { type, strategy, mergeKey } = patchMetaOf(this.#schemas, node, field);
    const items = this.#schemas.resolve(type).items ?? {};
    const mergeItems = (original: Members, patch: Members) =>
      this.mergeMaps(original, patch, items);
    return { strategy, mergeKey, mergeItems };
  }
}

function replaceWhole(patch: Members): Members {
  const { [directive]: how, ...content } = patch;
  if (how === 'replace') return content;
  if (how === 'delete') return {};
  throw patchFault(`unknown patch type: ${printGoValue(how)} in map: ${printGoValue(patch)}`);
}

/** The original without the keys that the patch does not retain. All that a patch sets, it must retain. */
function retained(original: Members, patch: Members): Members {
  if (!Object.hasOwn(patch, retainKeys)) return original;
  const keys = patch[retainKeys];
  const kept = new Set<unknown>(Array.isArray(keys) ? keys : []);
  const isKept = ([key, value]: [string, unknown]) =>
    value === null || key.startsWith(deletion) || key.startsWith(order) || kept.has(key);
  const { [retainKeys]: _, ...changes } = patch;
  if (!Array.isArray(keys) || !Object.entries(changes).every(isKept)) {
    throw malformedPatch('invalid patch format of retainKeys');
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
}

/** The field that a directive of the form `$directive/field` is about. */
function fieldOf(key: string, prefix: string, fault: string): string {
  if (!key.startsWith(`${prefix}/`)) throw malformedPatch(fault);
  return key.slice(prefix.length + 1);
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const given = value === null ? '%!s(<nil>)' : goTypeName(value);
  throw patchFault(`expected a []interface {}, but received a ${given}`);
}

function setOrDelete(members: Map<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) members.delete(key);
  else members.set(key, value);
}

/** To set something to null is to remove it, even where there was nothing. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** What is to be deleted or replaced where there was nothing is left out: undefined, if it is the value itself. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const members = Object.entries(value).map(([key, member]) => [key, withoutDirectives(member)]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
