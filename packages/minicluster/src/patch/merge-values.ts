import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { elementOfItem } from './list-item.ts';
import { mergeOrder } from './merge-order.ts';
import type { PathElement } from './path-element.ts';
import {
  asList,
  asMap,
  atomFor,
  atomOf,
  fieldType,
  type ListAtom,
  type MapAtom,
  memberOf,
} from './type-atom.ts';

/**
 * The live value with what was applied laid over it: nothing goes, and of what both have the applied counts. `undefined`
 * stands for no value. The result shares with both what it can.
 */
export function mergeValues(
  schemas: Schemas,
  node: TypeSchema,
  live: unknown,
  applied: unknown,
): unknown {
  if (applied === undefined) return live;
  const atom = atomFor(atomOf(schemas, node), applied);
  if (atom.map) return mergeMaps(schemas, atom.map, live, applied);
  if (atom.list && !atom.scalar) return mergeLists(schemas, atom.list, live, applied);
  return applied;
}

function mergeMaps(schemas: Schemas, map: MapAtom, live: unknown, applied: unknown): unknown {
  const [left = {}, right = {}] = [asMap(live), asMap(applied)];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  if (map.atomic || names.size === 0) return applied;
  const members = [...names].map((name) => {
    const type = fieldType(map, name) ?? {};
    return [name, mergeValues(schemas, type, memberOf(left, name), memberOf(right, name))] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function mergeLists(schemas: Schemas, list: ListAtom, live: unknown, applied: unknown): unknown {
  const [left = [], right = []] = [asList(live), asList(applied)];
  if (list.atomic || (left.length === 0 && right.length === 0)) return applied;
  const [leftElements, rightElements] = [left, right].map((items) =>
    items.map((item) => elementOfItem(schemas, list, item)),
  ) as [PathElement[], PathElement[]];
  const leftByElement = indexUnique(leftElements);
  return mergeOrder(leftElements, rightElements).map((step) => {
    if (step.from === 'live') return left[step.index];
    const item = right[step.index];
    const other = leftByElement.get(rightElements[step.index] ?? '');
    return mergeValues(
      schemas,
      list.element,
      other === undefined ? other : (left[other] ?? null),
      item,
    );
  });
}

/** Places by element; -1, which leads to nothing, where items cannot be told apart. */
function indexUnique(elements: readonly PathElement[]): Map<PathElement, number> {
  const places = new Map<PathElement, number>();
  for (const [index, element] of elements.entries()) {
    places.set(element, places.has(element) ? -1 : index);
  }
  return places;
}
