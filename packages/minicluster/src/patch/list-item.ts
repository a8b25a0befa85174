import { isJsonObject } from '@liqo/kube';
import { propertyOf, type Schemas } from '../schema/type-schema.ts';
import { type ItemKey, keyElement, type PathElement, valueElement } from './path-element.ts';
import { atomOf, type ListAtom } from './type-atom.ts';

/** A value that does not fit its type so that nobody can say who owns what of it. */
export class TypedValueError extends Error {
  override readonly name = 'TypedValueError';
}

/** What the item of a list that is not atomic is known by: its keys, missing ones by their defaults, or its value. */
export function elementOfItem(schemas: Schemas, list: ListAtom, item: unknown): PathElement {
  return list.keys.length > 0 ? keyedElement(schemas, list, item) : setElement(item);
}

function keyedElement(schemas: Schemas, list: ListAtom, item: unknown): PathElement {
  if (item === null || item === undefined) {
    throw new TypedValueError('associative list with keys may not have a null element');
  }
  if (!isJsonObject(item)) {
    throw new TypedValueError('associative list with keys may not have non-map elements');
  }
  const key = list.keys.flatMap((name): ItemKey => {
    const value = Object.hasOwn(item, name) ? item[name] : defaultOfKey(schemas, list, name);
    return value === undefined ? [] : [[name, value]];
  });
  if (key.length === 0) throw new TypedValueError(keylessMessage(list.keys));
  return keyElement(key);
}

function defaultOfKey(schemas: Schemas, list: ListAtom, name: string): unknown {
  const { map } = atomOf(schemas, list.element);
  if (!map) {
    const fact = 'associative list may not have non-map types';
    throw new TypedValueError(`couldn't find default value for ${name}: ${fact}`);
  }
  return propertyOf(map.schema, name)?.default;
}

function keylessMessage(keys: readonly string[]): string {
  const list = keys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${list}] (and doesn't have default values for any key fields)`;
}

function setElement(item: unknown): PathElement {
  if (isJsonObject(item)) {
    throw new TypedValueError("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) {
    throw new TypedValueError('not supported: associative list with lists as elements');
  }
  if (item === null || item === undefined) {
    throw new TypedValueError(
      "associative list without keys has an element that's an explicit null",
    );
  }
  return valueElement(item);
}
