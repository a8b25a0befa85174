import type { ClusterRole } from '@liqo/kube';
import type { Difference } from './compare-objects.ts';

/** By role, the verbs on each resource, as `group/resource`. */
export type RoleRights = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The roles of ours with these names. */
export function rightsOfRoles(roles: readonly ClusterRole[], names: readonly string[]): RoleRights {
  const wanted = names.map((name) => {
    const role = roles.find(({ metadata }) => metadata?.name === name);
    return [name, role ? rightsOf(role) : {}] as const;
  });
  return Object.fromEntries(wanted);
}

function rightsOf({ rules }: ClusterRole): Readonly<Record<string, string>> {
  const verbs = new Map<string, Set<string>>();
  for (const { apiGroups = [], resources = [], resourceNames = [], verbs: added } of rules ?? []) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        const names = resourceNames.length > 0 ? ` ${resourceNames.join(' ')}` : '';
        const right = `${group && `${group}/`}${resource}${names}`;
        verbs.set(right, new Set([...(verbs.get(right) ?? []), ...added]));
      }
    }
  }
  return Object.fromEntries([...verbs].map(([right, all]) => [right, spell([...all])]));
}

/** Each right that is not the same: the role is the object, the resource the field, and verbs are the values. */
export function compareRoles(liqo: RoleRights, ours: RoleRights): readonly Difference[] {
  return Object.entries(liqo).flatMap(([object, rights]) => {
    const own = ours[object] ?? {};
    const fields = [...new Set([...Object.keys(rights), ...Object.keys(own)])].toSorted();
    return fields.flatMap((field) => {
      const difference = { object, field, liqo: verbsIn(rights, field), ours: verbsIn(own, field) };
      return difference.liqo === difference.ours ? [] : [difference];
    });
  });
}

function verbsIn(rights: Readonly<Record<string, string>>, field: string): string {
  return field in rights ? spell((rights[field] ?? '').split(' ')) : '–';
}

function spell(verbs: readonly string[]): string {
  return [...verbs].toSorted().join(' ');
}
