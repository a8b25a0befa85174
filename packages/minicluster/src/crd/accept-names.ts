import { deepEqual } from '@liqo/kube';
import type { CustomResourceDefinitionNames } from 'kubernetes-types/apiextensions/v1.d.ts';

/** What came of asking for names: which are granted, and the first reason why others are not. */
export interface NamesDecision {
  readonly accepted: CustomResourceDefinitionNames;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Names that others in the group hold: of resources, and of kinds. */
export interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

export function namesTaken(held: readonly CustomResourceDefinitionNames[]): TakenNames {
  const resources = held.flatMap(({ plural, singular = '', shortNames = [] }) => [
    plural,
    singular,
    ...shortNames,
  ]);
  const kinds = held.flatMap(({ kind, listKind = '' }) => [kind, listKind]);
  return { resources: new Set(resources), kinds: new Set(kinds) };
}

/**
 * First come, first served: a name that is free, or one's own already, is granted; of those that are not, the last one
 * is told. What was granted before stays until something else is.
 */
export function acceptNames(
  wanted: CustomResourceDefinitionNames,
  current: CustomResourceDefinitionNames,
  taken: TakenNames,
): NamesDecision {
  const conflicts: [reason: string, message: string][] = [];
  const grant = <T>(reason: string, own: T, asked: T, faults: readonly string[]): T => {
    if (faults.length === 0) return asked;
    conflicts.push([reason, faults.length === 1 ? `${faults[0]}` : `[${faults.join(', ')}]`]);
    return own;
  };
  const inUse = (asked = '', own = '', names: ReadonlySet<string>) =>
    asked !== own && names.has(asked) ? [`${JSON.stringify(asked)} is already in use`] : [];
  const { resources, kinds } = taken;
  const plural = inUse(wanted.plural, current.plural, resources);
  const singular = inUse(wanted.singular, current.singular, resources);
  const listKind = inUse(wanted.listKind, current.listKind, kinds);
  const kind = inUse(wanted.kind, current.kind, kinds);
  const accepted = {
    plural: grant('PluralConflict', current.plural, wanted.plural, plural),
    singular: grant('SingularConflict', current.singular, wanted.singular, singular),
    shortNames: grant(
      'ShortNamesConflict',
      current.shortNames,
      wanted.shortNames,
      shortNameFaults(wanted, current, resources),
    ),
    kind: grant('KindConflict', current.kind, wanted.kind, kind),
    listKind: grant('ListKindConflict', current.listKind, wanted.listKind, listKind),
    categories: wanted.categories,
  };
  const [reason, message] = conflicts.at(-1) ?? ['NoConflicts', 'no conflicts found'];
  const status = conflicts.length === 0 ? 'True' : 'False';
  return { accepted: withoutUndefined(accepted), status, reason, message };
}

function shortNameFaults(
  { shortNames: wanted = [] }: CustomResourceDefinitionNames,
  { shortNames: own = [] }: CustomResourceDefinitionNames,
  taken: ReadonlySet<string>,
): string[] {
  if (deepEqual(wanted, own)) return [];
  const fresh = wanted.filter((name) => !own.includes(name));
  return fresh
    .filter((name) => taken.has(name))
    .map((name) => `${JSON.stringify(name)} is already in use`);
}

function withoutUndefined(
  names: {
    [name in keyof CustomResourceDefinitionNames]: CustomResourceDefinitionNames[name] | undefined;
  },
): CustomResourceDefinitionNames {
  const set = Object.entries(names).filter(([, value]) => value !== undefined && value !== '');
  return { plural: '', kind: '', ...Object.fromEntries(set) };
}
