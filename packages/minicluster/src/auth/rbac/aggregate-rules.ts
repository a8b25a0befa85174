import { deepEqual, labelQueryFromSelector, matchesLabels } from '@liqo/kube';
import type { ClusterRole, PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';

/**
 * The rules that a role with an aggregationRule has to have: those of the roles that its selectors select, in the order
 * of the selectors and then of the names, each rule once. Undefined for a role that does not aggregate.
 */
export function aggregateRules(
  role: ClusterRole,
  all: readonly ClusterRole[],
): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined;
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const query = labelQueryFromSelector(selector);
    const selected = all.filter(
      (other) => nameOf(other) !== nameOf(role) && matchesLabels(query, other.metadata?.labels),
    );
    for (const other of selected.toSorted(byName)) addMissing(rules, other.rules ?? []);
  }
  return rules;
}

/** The same for all roles at once, those that aggregate aggregating roles included. */
export function withAggregatedRules(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  const next = roles.map((role) => {
    const rules = aggregateRules(role, roles);
    return rules && !deepEqual(rules, role.rules ?? []) ? { ...role, rules } : role;
  });
  const isStable = next.every((role, index) => role === roles[index]);
  return isStable ? roles : withAggregatedRules(next);
}

function addMissing(rules: PolicyRule[], more: readonly PolicyRule[]): void {
  for (const rule of more) {
    if (!rules.some((present) => deepEqual(present, rule))) rules.push(rule);
  }
}

function byName(a: ClusterRole, b: ClusterRole): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function nameOf(role: ClusterRole): string {
  return role.metadata?.name ?? '';
}
