import type * as rbac from 'kubernetes-types/rbac/v1.d.ts';
import { withAggregatedRules } from '../rbac/aggregate-rules.ts';
import policy from './bootstrap-policy.json' with { type: 'json' };

/** The roles and bindings that every stock cluster begins with, aggregated rules included. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly rbac.ClusterRole[];
  readonly clusterRoleBindings: readonly rbac.ClusterRoleBinding[];
  readonly roles: readonly rbac.Role[];
  readonly roleBindings: readonly rbac.RoleBinding[];
}

interface RoleTable {
  readonly rules?: readonly string[];
  readonly aggregates?: boolean;
  /** The role whose selector selects this one. */
  readonly aggregatedTo?: string;
}

const apiGroup = 'rbac.authorization.k8s.io';
const aggregationLabel = `${apiGroup}/aggregate-to-`;

/** From the compact table: a rule is `verbs | groups | resources [| names]`, or `verbs | paths`. */
export function readBootstrapPolicy(): BootstrapPolicy {
  const clusterRoles = Object.entries<RoleTable>(policy.clusterRoles).map(([name, role]) =>
    readClusterRole(name, role),
  );
  const roles = Object.entries(policy.roles).map(([key, rules]) => ({
    ...heading('Role', inNamespace(key)),
    rules: rules.map(readRule),
  }));
  const roleBindings = Object.entries(policy.roleBindings).map(([key, { role, subjects }]) => ({
    ...heading('RoleBinding', inNamespace(key)),
    subjects: subjects.map(readSubject),
    roleRef: { apiGroup, kind: 'Role', name: role },
  }));
  return {
    clusterRoles: withAggregatedRules(clusterRoles),
    clusterRoleBindings: readClusterRoleBindings(),
    roles,
    roleBindings,
  };
}

function readClusterRole(name: string, role: RoleTable): rbac.ClusterRole {
  const labels = role.aggregatedTo && { [aggregationLabel + role.aggregatedTo]: 'true' };
  const selector = { matchLabels: { [aggregationLabel + name]: 'true' } };
  return {
    ...heading('ClusterRole', { name }, labels || {}),
    rules: (role.rules ?? []).map(readRule),
    ...(role.aggregates && { aggregationRule: { clusterRoleSelectors: [selector] } }),
  };
}

/** A controller's role is bound to the account of that name; the table has the others. */
function readClusterRoleBindings(): rbac.ClusterRoleBinding[] {
  const prefix = 'system:controller:';
  const controllers = Object.keys(policy.clusterRoles).filter((name) => name.startsWith(prefix));
  const bindings: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(policy.clusterRoleBindings),
    ...controllers.map(
      (role) => [role, [`ServiceAccount kube-system/${role.slice(prefix.length)}`]] as const,
    ),
  ];
  return bindings.map(([name, subjects]) => ({
    ...heading('ClusterRoleBinding', { name }),
    ...(subjects.length > 0 && { subjects: subjects.map(readSubject) }),
    roleRef: { apiGroup, kind: 'ClusterRole', name },
  }));
}

function heading<K extends string>(
  kind: K,
  key: { readonly namespace?: string; readonly name: string },
  labels: Readonly<Record<string, string>> = {},
) {
  return {
    apiVersion: `${apiGroup}/v1` as const,
    kind,
    metadata: {
      ...key,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
  };
}

function inNamespace(key: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}

function readRule(text: string): rbac.PolicyRule {
  const [verbs = [], ...what] = text.split(' | ').map((column) => column.split(' '));
  const [groups = [], resources, resourceNames] = what;
  if (!resources) return { verbs, nonResourceURLs: groups };
  const apiGroups = groups.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources, ...(resourceNames && { resourceNames }) };
}

/** `User x`, `Group x`, `ServiceAccount namespace/x`. */
function readSubject(text: string): rbac.Subject {
  const [kind = '', name = ''] = text.split(' ');
  return kind === 'ServiceAccount' ? { kind, ...inNamespace(name) } : { apiGroup, kind, name };
}
