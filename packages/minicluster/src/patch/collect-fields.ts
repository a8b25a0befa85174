import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { propertyOf } from '../schema/type-schema.ts';
import { branchOf, emptySet, type FieldSet, isEmptySet, leafSet, union } from './field-set.ts';
import { elementOfItem } from './list-item.ts';
import { fieldElement, fieldNameOf, type PathElement } from './path-element.ts';
import {
  asList,
  asMap,
  atomFor,
  atomOf,
  fieldType,
  type ListAtom,
  type MapAtom,
} from './type-atom.ts';

/** The fields that somebody who wrote this value claims: leaves, items of lists and keys of maps. */
export function claimedFields(schemas: Schemas, node: TypeSchema, value: unknown): FieldSet {
  const { map, scalar, list } = atomFor(atomOf(schemas, node), value);
  if (map) return claimedInMap(schemas, map, value);
  if (scalar) return leafSet;
  return list ? claimedInList(schemas, list, value) : emptySet;
}

function claimedInMap(schemas: Schemas, map: MapAtom, value: unknown): FieldSet {
  if (map.atomic) return leafSet;
  const children = new Map<PathElement, FieldSet>();
  for (const [name, member] of Object.entries(asMap(value) ?? {})) {
    const claimed = claimedFields(schemas, fieldType(map, name) ?? {}, member);
    const isDeclared = propertyOf(map.schema, name) !== undefined;
    const isClaimed = !isDeclared || isHollow(member);
    const below = isClaimed ? branchOf(true, claimed.children) : claimed;
    if (!isEmptySet(below)) children.set(fieldElement(name), below);
  }
  return branchOf(false, children);
}

/** A declared field is not claimed for what is in it, but with nothing in it there is nothing else to claim. */
function isHollow(value: unknown): boolean {
  const map = asMap(value);
  return value === null || (map !== undefined && Object.keys(map).length === 0);
}

function claimedInList(schemas: Schemas, list: ListAtom, value: unknown): FieldSet {
  if (list.atomic) return leafSet;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, items] of groupItems(schemas, list, asList(value) ?? [])) {
    const [first, ...others] = items;
    const isUnique = others.length === 0;
    const below = isUnique ? claimedFields(schemas, list.element, first).children : undefined;
    children.set(element, below ? branchOf(true, below) : leafSet);
  }
  return branchOf(false, children);
}

/** The items by what they are known by, in the order of the list. More than one under a key are duplicates. */
export function groupItems(
  schemas: Schemas,
  list: ListAtom,
  items: readonly unknown[],
): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = elementOfItem(schemas, list, item);
    const group = groups.get(element);
    if (group) group.push(item);
    else groups.set(element, [item]);
  }
  return groups;
}

/** Every place there is in the value, whether it holds something or is on the way to something. */
export function everyField(schemas: Schemas, node: TypeSchema, value: unknown): FieldSet {
  const { map, scalar, list } = atomFor(atomOf(schemas, node), value);
  if (map) return everyFieldOfMap(schemas, map, value);
  if (scalar || !list || list.atomic) return leafSet;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, items] of groupItems(schemas, list, asList(value) ?? [])) {
    const isUnique = items.length === 1;
    children.set(element, isUnique ? everyField(schemas, list.element, items[0]) : leafSet);
  }
  return branchOf(true, children);
}

function everyFieldOfMap(schemas: Schemas, map: MapAtom, value: unknown): FieldSet {
  if (map.atomic) return leafSet;
  const children = new Map<PathElement, FieldSet>();
  for (const [name, member] of Object.entries(asMap(value) ?? {})) {
    children.set(fieldElement(name), everyField(schemas, fieldType(map, name) ?? {}, member));
  }
  return branchOf(true, children);
}

/** The set with the declared fields that lead to its members: they go when everything in them goes. */
export function withDeclaredFields(schemas: Schemas, node: TypeSchema, set: FieldSet): FieldSet {
  const { map, list } = atomOf(schemas, node);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, below] of set.children) {
    const name = fieldNameOf(element);
    const type = name === undefined ? list?.element : map && fieldType(map, name);
    const isDeclared = name !== undefined && map && propertyOf(map.schema, name) !== undefined;
    const completed = withDeclaredFields(schemas, type ?? {}, below);
    const isWay = isDeclared && below.children.size > 0;
    children.set(element, isWay ? union(completed, leafSet) : completed);
  }
  return branchOf(set.member, children);
}
