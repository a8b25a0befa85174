import type { Kind } from './kind.ts';

export interface ResourceTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The path of a kind's collection, of one object, or of a subresource of it. */
export function resourcePath(kind: Kind, target: ResourceTarget = {}, query?: Query): string {
  let path = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  if (kind.namespaced && target.namespace) {
    path += `/namespaces/${requireSegment(kind, target.namespace)}`;
  }
  path += `/${kind.plural}`;
  if (target.name !== undefined) path += `/${requireSegment(kind, target.name)}`;
  if (target.name && kind.namespaced && !target.namespace) {
    throw new TypeError(`Cannot address the ${kind.kind} "${target.name}": it needs a namespace`);
  }
  if (target.subresource)
    path += `/${target.subresource.split('/').map(encodeURIComponent).join('/')}`;
  return query ? path + queryString(query) : path;
}

/** Leaves out what is undefined; a list repeats its key, as `command` does in an exec. */
export function queryString(query: Query): string {
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values)
      pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(one))}`);
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** An empty name would address the whole collection: never let a DELETE of one object become a DELETE of all. */
function requireSegment(kind: Kind, segment: string): string {
  if (segment !== '' && segment !== '.' && segment !== '..') return encodeURIComponent(segment);
  throw new TypeError(`Cannot address a ${kind.kind}: "${segment}" is no name`);
}
