import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import type { FieldSet } from './field-set.ts';
import { elementOfItem } from './list-item.ts';
import { fieldElement } from './path-element.ts';
import {
  asList,
  asMap,
  atomFor,
  atomOf,
  fieldType,
  type ListAtom,
  type MapAtom,
} from './type-atom.ts';

/** The value without the fields of the set. A map or list of which nothing is left becomes null. */
export function removeFields(
  schemas: Schemas,
  node: TypeSchema,
  value: unknown,
  set: FieldSet,
): unknown {
  const { map, scalar, list } = atomFor(atomOf(schemas, node), value);
  if (map) return removeFromMap(schemas, map, value, set);
  if (scalar) return value;
  return list ? removeFromList(schemas, list, value, set) : null;
}

function removeFromMap(schemas: Schemas, map: MapAtom, value: unknown, set: FieldSet): unknown {
  const members = asMap(value);
  if (!members || map.atomic) return null;
  const left = Object.entries(members).flatMap(([name, member]): [string, unknown][] => {
    const goes = set.children.get(fieldElement(name));
    if (!goes) return [[name, member]];
    if (goes.member) return [];
    return [[name, removeFields(schemas, fieldType(map, name) ?? {}, member, goes)]];
  });
  return left.length > 0 ? Object.fromEntries(left) : null;
}

function removeFromList(schemas: Schemas, list: ListAtom, value: unknown, set: FieldSet): unknown {
  const items = asList(value);
  if (!items || list.atomic) return null;
  const left = items.flatMap((item) => {
    const goes = set.children.get(elementOfItem(schemas, list, item));
    if (!goes) return [item];
    return goes.member ? [] : [removeFields(schemas, list.element, item, goes)];
  });
  return left.length > 0 ? left : null;
}
