import {
  ClusterRole,
  ClusterRoleBinding,
  deepEqual,
  Role,
  RoleBinding,
  type Stored,
} from '@liqo/kube';
import type { PolicyRule, RoleRef, Subject } from 'kubernetes-types/rbac/v1.d.ts';
import type { TableColumn } from '../../rest/resource.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import {
  type FieldProblem,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { dnsSubdomainFaults, pathSegmentFaults } from '../validation/names.ts';

const group = 'rbac.authorization.k8s.io';

const common = {
  generation: 'none',
  createsOnUpdate: true,
  validateName: pathSegmentFaults,
} as const;

export const roles = defineResource<Role>({
  kind: Role,
  strategy: {
    ...common,
    validate: ({ rules }: Role) => validateRules(rules ?? [], true),
  },
});

export const clusterRoles = defineResource<ClusterRole>({
  kind: ClusterRole,
  strategy: {
    ...common,
    validate: (role: ClusterRole) => [
      ...validateRules(role.rules ?? [], false),
      ...validateAggregation(role),
    ],
  },
});

function validateRules(rules: readonly PolicyRule[], isNamespaced: boolean): FieldProblem[] {
  return rules.flatMap((rule, i) => validateRule(`rules[${i}]`, rule, isNamespaced));
}

function validateRule(field: string, rule: PolicyRule, isNamespaced: boolean): FieldProblem[] {
  const { nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const verbs = rule.verbs?.length
    ? []
    : [required(`${field}.verbs`, 'verbs must contain at least one value')];
  if (nonResourceURLs.length > 0) {
    const isMixed = apiGroups.length + resources.length + resourceNames.length > 0;
    const at = `${field}.nonResourceURLs`;
    const namespaced = 'namespaced rules cannot apply to non-resource URLs';
    const mixed = 'rules cannot apply to both regular resources and non-resource URLs';
    return [
      ...verbs,
      ...(isNamespaced ? [invalid(at, nonResourceURLs, namespaced)] : []),
      ...(isMixed ? [invalid(at, nonResourceURLs, mixed)] : []),
    ];
  }
  const groups = 'resource rules must supply at least one api group';
  const named = 'resource rules must supply at least one resource';
  return [
    ...verbs,
    ...(apiGroups.length > 0 ? [] : [required(`${field}.apiGroups`, groups)]),
    ...(resources.length > 0 ? [] : [required(`${field}.resources`, named)]),
  ];
}

function validateAggregation({ aggregationRule }: ClusterRole): FieldProblem[] {
  if (!aggregationRule) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  const rule = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  if (selectors.length === 0) return [required(field, rule)];
  return selectors.flatMap((selector, i) => validateSelector(`${field}[${i}]`, selector));
}

type Binding = RoleBinding | ClusterRoleBinding;

const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  textColumn('Role', ({ roleRef }: Binding) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  ...wide(
    textColumn('Users', (binding: Binding) => subjectsText(binding, 'User')),
    textColumn('Groups', (binding: Binding) => subjectsText(binding, 'Group')),
    textColumn('ServiceAccounts', (binding: Binding) => subjectsText(binding, 'ServiceAccount')),
  ),
];

function subjectsText({ subjects = [] }: Binding, kind: string): string {
  return subjects
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ');
}

const bindings = {
  ...common,
  withDefaults: <B extends Binding>(binding: B): B => {
    const complete = changeIn<Binding, 'roleRef'>(binding, 'roleRef', (ref) =>
      ref.apiGroup ? ref : { ...ref, apiGroup: group },
    );
    return changeEach(complete, 'subjects', defaultSubject) as B;
  },
} as const;

/** Users and groups are this API's own idea; service accounts are objects of the core. */
function defaultSubject(subject: Subject): Subject {
  const isOwn = subject.kind === 'User' || subject.kind === 'Group';
  return isOwn ? fillIn(subject, { apiGroup: group }) : subject;
}

export const roleBindings = defineResource<RoleBinding>({
  kind: RoleBinding,
  columns: bindingColumns,
  strategy: {
    ...bindings,
    validate: ({ roleRef, subjects }: RoleBinding) => [
      ...validateRoleRef(roleRef, ['Role', 'ClusterRole']),
      ...validateSubjects(subjects ?? [], true),
    ],
    validateUpdate: (next: RoleBinding, previous: Stored<RoleBinding>) =>
      sameRole(next.roleRef, previous.roleRef),
  },
});

export const clusterRoleBindings = defineResource<ClusterRoleBinding>({
  kind: ClusterRoleBinding,
  columns: bindingColumns,
  strategy: {
    ...bindings,
    validate: ({ roleRef, subjects }: ClusterRoleBinding) => [
      ...validateRoleRef(roleRef, ['ClusterRole']),
      ...validateSubjects(subjects ?? [], false),
    ],
    validateUpdate: (next: ClusterRoleBinding, previous: Stored<ClusterRoleBinding>) =>
      sameRole(next.roleRef, previous.roleRef),
  },
});

function validateRoleRef(ref: RoleRef, kinds: readonly string[]): FieldProblem[] {
  return [
    ...(ref.apiGroup === group ? [] : [notSupported('roleRef.apiGroup', ref.apiGroup, [group])]),
    ...oneOf('roleRef.kind', ref.kind, kinds),
    ...(ref.name
      ? invalidFor('roleRef.name', ref.name, pathSegmentFaults(ref.name))
      : [required('roleRef.name')]),
  ];
}

function validateSubjects(subjects: readonly Subject[], isNamespaced: boolean): FieldProblem[] {
  return subjects.flatMap((subject, i) => {
    const field = `subjects[${i}]`;
    const name = subject.name ? [] : [required(`${field}.name`)];
    return [...name, ...validateSubjectKind(field, subject, isNamespaced)];
  });
}

function validateSubjectKind(
  field: string,
  subject: Subject,
  isNamespaced: boolean,
): FieldProblem[] {
  const { kind, name, namespace, apiGroup = '' } = subject;
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...(name ? invalidFor(`${field}.name`, name, dnsSubdomainFaults(name)) : []),
        ...(apiGroup ? [notSupported(`${field}.apiGroup`, apiGroup, [''])] : []),
        ...(isNamespaced || namespace ? [] : [required(`${field}.namespace`)]),
      ];
    case 'User':
    case 'Group':
      return apiGroup === group ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [group])];
    default:
      return [notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

/** What is bound to one role cannot be handed another under the same name. */
function sameRole(next: RoleRef, previous: RoleRef): FieldProblem[] {
  if (deepEqual(next, previous)) return [];
  const shown = { APIGroup: next.apiGroup, Kind: next.kind, Name: next.name };
  return [invalid('roleRef', shown, 'cannot change roleRef')];
}
