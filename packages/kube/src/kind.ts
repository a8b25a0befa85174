import type { KubeObject } from './object.ts';

declare const objectType: unique symbol;

/**
 * A kind of object: what a client needs to find it on the wire, and (for the compiler only) its type.
 * Built-in kinds are in `kinds/`; a custom one is made the same way with `defineKind`.
 */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly [objectType]?: T;
}

/** The type of the objects of a kind: `ObjectOf<typeof Pod>`. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

export interface KindNames {
  /** `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
}

export function defineKind<T extends KubeObject>(names: KindNames): Kind<T> {
  const { group, version } = parseApiVersion(names.apiVersion);
  return {
    group,
    version,
    kind: names.kind,
    plural: names.plural,
    namespaced: names.scope === 'Namespaced',
  };
}

export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group ? `${kind.group}/${kind.version}` : kind.version;
}

export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
