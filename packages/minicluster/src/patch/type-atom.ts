import { isJsonObject } from '@liqo/kube';
import { belowPreserved } from '../schema/custom-schemas.ts';
import {
  definitionName,
  propertyOf,
  type Schemas,
  type TypeSchema,
} from '../schema/type-schema.ts';

/**
 * What a value of a type may be, and who may own a part of it. Most types are one of the three; a type that is not
 * spelled out may be any.
 */
export interface Atom {
  readonly map?: MapAtom;
  readonly scalar?: ScalarAtom;
  readonly list?: ListAtom;
}

export type ScalarAtom = 'boolean' | 'numeric' | 'string' | 'untyped';

export interface MapAtom {
  /** Its properties are the declared fields. */
  readonly schema: TypeSchema;
  /** The type of all other fields; undefined if there must not be any. */
  readonly element: TypeSchema | undefined;
  /** Owned as a whole. */
  readonly atomic: boolean;
}

export interface ListAtom {
  readonly element: TypeSchema;
  /** Owned as a whole. Otherwise every item has an owner of its own: it is known by its keys or, without keys, by value. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
}

/** A type that takes anything, owned as a whole. */
const untyped: TypeSchema = { 'x-atom': 'untyped' };

/** A type that takes anything, in which maps are shared field by field: what is behind unknown fields. */
const deduced: TypeSchema = { 'x-atom': 'deduced' };

const untypedAtom: Atom = {
  map: { schema: {}, element: untyped, atomic: true },
  scalar: 'untyped',
  list: { element: untyped, atomic: true, keys: [] },
};

const deducedAtom: Atom = {
  map: { schema: {}, element: deduced, atomic: false },
  scalar: 'untyped',
  list: { element: untyped, atomic: true, keys: [] },
};

const quantityAtom: Atom = { scalar: 'untyped' };

export function atomOf(schemas: Schemas, node: TypeSchema): Atom {
  if (node === deduced) return deducedAtom;
  if (node === untyped) return untypedAtom;
  switch (definitionName(node)) {
    case undefined:
      return parseSchema(node, node['x-kubernetes-map-type']);
    case 'io.k8s.apimachinery.pkg.api.resource.Quantity':
      return quantityAtom;
    case 'io.k8s.apimachinery.pkg.runtime.RawExtension':
      return untypedAtom;
    default: {
      const schema = schemas.resolve(node);
      return parseSchema(schema, node['x-kubernetes-map-type'] ?? schema['x-kubernetes-map-type']);
    }
  }
}

/** The one thing that the value is, if the type allows it to be that; otherwise all that the type allows. */
export function atomFor(atom: Atom, value: unknown): Atom {
  if (value === undefined || value === null) return atom;
  if (Array.isArray(value)) return atom.list ? { list: atom.list } : atom;
  if (typeof value === 'object') return atom.map ? { map: atom.map } : atom;
  return atom.scalar ? { scalar: atom.scalar } : atom;
}

export function isSameShape(a: Atom, b: Atom): boolean {
  return !a.map === !b.map && !a.scalar === !b.scalar && !a.list === !b.list;
}

export function fieldType({ schema, element }: MapAtom, name: string): TypeSchema | undefined {
  return propertyOf(schema, name) ?? element;
}

/** The items, or undefined if the value is no list. */
export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A member of the map's own; undefined for `constructor` and the like, unless it really is there. */
export function memberOf(map: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** The members, or undefined if the value is no map. */
export function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? value : undefined;
}

function parseSchema(schema: TypeSchema, mapType: string | undefined): Atom {
  switch (schema.type) {
    case 'object':
      return { map: mapAtom(schema, mapType) };
    case 'array':
      return { list: listAtom(schema) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: schema.format && schema.format !== 'byte' ? 'untyped' : 'string' };
    default:
      return { map: mapAtom(schema, mapType), scalar: 'untyped', list: listAtom(schema) };
  }
}

function mapAtom(schema: TypeSchema, mapType: string | undefined): MapAtom {
  return { schema, element: elementOf(schema), atomic: mapType === 'atomic' };
}

function elementOf(schema: TypeSchema): TypeSchema | undefined {
  const { additionalProperties: additional } = schema;
  if (typeof additional === 'object') return additional;
  if (additional !== undefined) return additional ? deduced : undefined;
  const takesUnknown =
    schema[belowPreserved] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return takesUnknown || !hasProperties(schema) ? deduced : undefined;
}

function hasProperties({ properties }: TypeSchema): boolean {
  for (const _ in properties) return true;
  return false;
}

function listAtom(schema: TypeSchema): ListAtom {
  return { element: schema.items ?? untyped, ...listRelationship(schema) };
}

/** Types that say nothing about server-side apply are judged by what they say about strategic merge patches. */
function listRelationship(schema: TypeSchema): Pick<ListAtom, 'atomic' | 'keys'> {
  switch (schema['x-kubernetes-list-type'] ?? schema['x-kubernetes-patch-strategy']) {
    case 'map':
      return { atomic: false, keys: schema['x-kubernetes-list-map-keys'] ?? [] };
    case 'set':
      return { atomic: false, keys: [] };
    case 'merge':
    case 'merge,retainKeys': {
      const key = schema['x-kubernetes-patch-merge-key'];
      return { atomic: false, keys: key === undefined ? [] : [key] };
    }
    default:
      return { atomic: true, keys: [] };
  }
}
