import { origin } from './kubeconfig.ts';
import type { Place } from './place.ts';
import { itemsOf, record, type Shape, text } from './shape.ts';
import type { Field } from './yaml-document.ts';

export type Named<K extends string, T> = { readonly name: string } & Readonly<Record<K, T>>;

/**
 * The shape of kubeconfig's lists: entries with a name each, no name twice, and a body under `key`, which counts as an
 * empty mapping when it is absent. Every entry remembers where it was read.
 */
export function named<K extends string, T>(key: K, body: Shape<T>): Shape<readonly Named<K, T>[]> {
  return (field) => {
    const taken = new Map<string, Place>();
    return itemsOf(field).map((item) => {
      const entry = readEntry(key, body, item);
      refuseTwin(entry.name, item.place, taken);
      return entry;
    });
  };
}

const heading = record<{ readonly name?: string }>({ name: text });

function readEntry<K extends string, T>(key: K, body: Shape<T>, item: Field): Named<K, T> {
  const entry = heading(item);
  if (!entry.name) throw item.place.key('name').problem('is missing; give every entry a name');
  const value = (entry as Readonly<Record<string, unknown>>)[key] ?? {};
  const read = body({ value, place: item.place.key(key) });
  return { ...entry, name: entry.name, [key]: read, [origin]: item.place } as Named<K, T>;
}

function refuseTwin(name: string, place: Place, taken: Map<string, Place>): void {
  const first = taken.get(name);
  if (first) {
    const where = first.line === undefined ? first.path : `${first.path}, line ${first.line}`;
    throw place.key('name').problem(`"${name}" is taken by ${where}; rename or remove one of them`);
  }
  taken.set(name, place);
}
