import type { Place } from './place.ts';
import type { Field } from './yaml-document.ts';

/** Turns a field into a checked value, or throws a `KubeconfigError` that points at it. */
export type Shape<T> = (field: Field) => T;

/** One shape for every key of `T`: a key added to the type is missed by the compiler until it has a shape too. */
export type ShapesOf<T> = { readonly [K in keyof T & string]-?: Shape<NonNullable<T[K]>> };

export const anything: Shape<unknown> = (field) => field.value;

export const text: Shape<string> = ({ value, place }) => {
  if (typeof value !== 'string') throw mismatch(place, 'a string', value);
  return value;
};

export const flag: Shape<boolean> = ({ value, place }) => {
  if (typeof value !== 'boolean') throw mismatch(place, 'true or false', value);
  return value;
};

/** Base64 as Go reads it into bytes: padded, and line breaks do not count. */
export const base64: Shape<string> = (field) => {
  const data = text(field).replace(/[\r\n]/g, '');
  if (data.startsWith('-----BEGIN')) {
    throw field.place.problem('must be base64 but is PEM text; encode it with "base64 -w0"');
  }
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    throw field.place.problem('is not valid base64; encode the PEM text with "base64 -w0"');
  }
  return data;
};

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (field) => itemsOf(field).map(shape);
}

export function mapOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (field) =>
    Object.fromEntries(
      entriesOf(field).map(([key, value]) => [key, shape({ value, place: field.place.key(key) })]),
    );
}

/** A mapping with these keys, all optional. A null counts as absent; keys nobody knows are kept as they are. */
export function record<T extends object>(shapes: ShapesOf<T>): Shape<T> {
  const known = new Map<string, Shape<unknown>>(Object.entries(shapes));
  return (field) => readRecord(field, known) as T;
}

function readRecord(field: Field, known: ReadonlyMap<string, Shape<unknown>>): object {
  const present = entriesOf(field).filter(([key, value]) => value !== null || !known.has(key));
  return Object.fromEntries(
    present.map(([key, value]) => {
      const shape = known.get(key) ?? anything;
      return [key, shape({ value, place: field.place.key(key) })];
    }),
  );
}

export function itemsOf({ value, place }: Field): Field[] {
  if (!Array.isArray(value)) throw mismatch(place, 'a list', value);
  return value.map((item: unknown, index) => ({ value: item, place: place.item(index) }));
}

function entriesOf({ value, place }: Field): [string, unknown][] {
  if (!isMapping(value)) throw mismatch(place, 'a mapping', value);
  return Object.entries(value);
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mismatch(place: Place, wanted: string, value: unknown) {
  const advice = wanted === 'a string' && isPlainScalar(value) ? '; put it in quotes' : '';
  return place.problem(`must be ${wanted} but is ${kindOf(value)}${advice}`);
}

function isPlainScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
