import { isJsonObject } from '@liqo/kube';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { goTypeName, printGoSyntax, printGoValue } from './go-format.ts';
import { elementOfItem, TypedValueError } from './list-item.ts';
import { fieldElement, type PathElement, printElement } from './path-element.ts';
import {
  atomFor,
  atomOf,
  fieldType,
  type ListAtom,
  type MapAtom,
  type ScalarAtom,
} from './type-atom.ts';

interface Fault {
  readonly path: string;
  readonly message: string;
}

/**
 * Checks that an applied configuration is of its type as far as ownership goes: known fields, the right kinds of
 * values, no item of a list twice. Throws a `TypedValueError` in the server's words.
 */
export function validateValue(schemas: Schemas, node: TypeSchema, value: unknown): void {
  const faults = faultsOf(schemas, node, value, '');
  if (faults.length === 0) return;
  const told = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new TypedValueError(
    told.length === 1 ? told[0] : ['errors:', ...told.map((line) => `  ${line}`)].join('\n'),
  );
}

function faultsOf(schemas: Schemas, node: TypeSchema, value: unknown, path: string): Fault[] {
  if (value === null) return [];
  const { map, scalar, list } = atomFor(atomOf(schemas, node), value);
  if (map) return faultsOfMap(schemas, map, value, path);
  if (scalar) return faultsOfScalar(scalar, value, path);
  return list ? faultsOfList(schemas, list, value, path) : [];
}

function faultsOfMap(schemas: Schemas, map: MapAtom, value: unknown, path: string): Fault[] {
  if (!isJsonObject(value)) return [{ path, message: `expected map, got ${printPointer(value)}` }];
  const faults: Fault[] = [];
  for (const [name, member] of Object.entries(value)) {
    const type = fieldType(map, name);
    const memberPath = path + printElement(fieldElement(name));
    if (!type) return [...faults, { path: memberPath, message: 'field not declared in schema' }];
    faults.push(...faultsOf(schemas, type, member, memberPath));
  }
  return faults;
}

function faultsOfScalar(scalar: ScalarAtom, value: unknown, path: string): Fault[] {
  const message = scalarFault(scalar, value);
  return message === undefined ? [] : [{ path, message }];
}

function scalarFault(scalar: ScalarAtom, value: unknown): string | undefined {
  switch (scalar) {
    case 'numeric':
      if (typeof value === 'number') return undefined;
      return `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${printGoSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : `expected boolean, got ${printPointer(value)}`;
    case 'untyped':
      return typeof value === 'object'
        ? `expected any scalar, got ${printPointer(value)}`
        : undefined;
  }
}

/** Go prints a pointer to a struct with one field. */
function printPointer(value: unknown): string {
  return `&{${printGoValue(value)}}`;
}

function faultsOfList(schemas: Schemas, list: ListAtom, value: unknown, path: string): Fault[] {
  if (!Array.isArray(value))
    return [{ path, message: `expected list, got ${printPointer(value)}` }];
  const faults: Fault[] = [];
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const element = list.atomic ? `i:${index}` : knownElement(schemas, list, item);
    if (element instanceof TypedValueError) {
      return [...faults, { path, message: `element ${index}: ${element.message}` }];
    }
    if (seen.has(element)) {
      faults.push({ path, message: `duplicate entries for key ${printElement(element)}` });
    }
    seen.add(element);
    faults.push(...faultsOf(schemas, list.element, item, path + printElement(element)));
  }
  return faults;
}

function knownElement(
  schemas: Schemas,
  list: ListAtom,
  item: unknown,
): PathElement | TypedValueError {
  try {
    return elementOfItem(schemas, list, item);
  } catch (error) {
    if (error instanceof TypedValueError) return error;
    throw error;
  }
}
