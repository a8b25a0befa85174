import { deepEqual } from '@liqo/kube';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { everyField, groupItems } from './collect-fields.ts';
import { branchOf, emptySet, type FieldSet, isEmptySet, leafSet, union } from './field-set.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import {
  type Atom,
  asList,
  asMap,
  atomFor,
  atomOf,
  fieldType,
  isSameShape,
  type ListAtom,
  type MapAtom,
  memberOf,
} from './type-atom.ts';

/** What of one value is not the same in another. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

const nothing: Comparison = { removed: emptySet, modified: emptySet, added: emptySet };
const modifiedHere: Comparison = { ...nothing, modified: leafSet };

/** `undefined` stands for no value at all; that is not the same as null. */
export function compareValues(
  schemas: Schemas,
  node: TypeSchema,
  before: unknown,
  after: unknown,
): Comparison {
  if (before === after) return nothing;
  if (before === undefined) return { ...nothing, added: everyField(schemas, node, after) };
  if (after === undefined) return { ...nothing, removed: everyField(schemas, node, before) };
  const atom = atomOf(schemas, node);
  const [atomBefore, atomAfter] = [atomFor(atom, before), atomFor(atom, after)];
  const compared = compareAs(schemas, atomAfter, before, after);
  if (isSameShape(atomBefore, atomAfter)) return compared;
  return merge(compareAs(schemas, atomBefore, before, after), compared);
}

function compareAs(schemas: Schemas, atom: Atom, before: unknown, after: unknown): Comparison {
  if (atom.map) return compareMaps(schemas, atom.map, before, after);
  if (atom.list && !atom.scalar) return compareLists(schemas, atom.list, before, after);
  return compareLeaves(before, after);
}

function compareLeaves(before: unknown, after: unknown): Comparison {
  return deepEqual(before, after) ? nothing : modifiedHere;
}

function compareMaps(schemas: Schemas, map: MapAtom, before: unknown, after: unknown): Comparison {
  const [left = {}, right = {}] = [asMap(before), asMap(after)];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  if (map.atomic || names.size === 0) return compareLeaves(before, after);
  const result = new ComparisonBuilder();
  for (const name of names) {
    const type = fieldType(map, name) ?? {};
    result.add(
      fieldElement(name),
      compareValues(schemas, type, memberOf(left, name), memberOf(right, name)),
    );
  }
  return result.build();
}

function compareLists(
  schemas: Schemas,
  list: ListAtom,
  before: unknown,
  after: unknown,
): Comparison {
  const [left = [], right = []] = [asList(before), asList(after)];
  const areBothEmpty = left.length === 0 && right.length === 0;
  if (list.atomic || areBothEmpty) return compareLeaves(before, after);
  const [leftItems, rightItems] = [
    groupItems(schemas, list, left),
    groupItems(schemas, list, right),
  ];
  const result = new ComparisonBuilder();
  for (const element of new Set([...leftItems.keys(), ...rightItems.keys()])) {
    const [old = [], now = []] = [leftItems.get(element), rightItems.get(element)];
    result.add(element, compareItems(schemas, list, old, now));
  }
  return result.build();
}

/** Items that share a key cannot be told apart: they are owned together, as if they were one leaf. */
function compareItems(
  schemas: Schemas,
  list: ListAtom,
  before: readonly unknown[],
  after: readonly unknown[],
): Comparison {
  const [wereDuplicates, areDuplicates] = [before.length > 1, after.length > 1];
  if (wereDuplicates && areDuplicates) return compareLeaves(before, after);
  const compare = (old: unknown, now: unknown) => compareValues(schemas, list.element, old, now);
  if (wereDuplicates) return merge(compare(undefined, after[0]), { ...nothing, removed: leafSet });
  if (areDuplicates) return merge(compare(before[0], undefined), { ...nothing, added: leafSet });
  return compare(before[0], after[0]);
}

function merge(a: Comparison, b: Comparison): Comparison {
  return {
    removed: union(a.removed, b.removed),
    modified: union(a.modified, b.modified),
    added: union(a.added, b.added),
  };
}

class ComparisonBuilder {
  readonly #removed = new Map<PathElement, FieldSet>();
  readonly #modified = new Map<PathElement, FieldSet>();
  readonly #added = new Map<PathElement, FieldSet>();

  add(element: PathElement, { removed, modified, added }: Comparison): void {
    if (!isEmptySet(removed)) this.#removed.set(element, removed);
    if (!isEmptySet(modified)) this.#modified.set(element, modified);
    if (!isEmptySet(added)) this.#added.set(element, added);
  }

  build(): Comparison {
    return {
      removed: branchOf(false, this.#removed),
      modified: branchOf(false, this.#modified),
      added: branchOf(false, this.#added),
    };
  }
}
