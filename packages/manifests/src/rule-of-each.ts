import type { ClusterRole, Kind } from '@liqo/kube';

type Rule = NonNullable<ClusterRole['rules']>[number];

/** The same verbs for each of the kinds: one rule for a group, in the order of the alphabet. */
export function ruleOfEach(kinds: readonly Kind[], verbs: readonly string[]): readonly Rule[] {
  const groups = [...new Set(kinds.map(({ group }) => group))].sort();
  return groups.map((group) => {
    const resources = kinds.filter((kind) => kind.group === group).map(({ plural }) => plural);
    return { apiGroups: [group], resources: resources.sort(), verbs: [...verbs] };
  });
}
