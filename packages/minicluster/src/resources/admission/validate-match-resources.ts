import type { MatchResources, NamedRule } from '../../admission/policies/policy-spec.ts';
import { fillIn } from '../fill-in.ts';
import {
  duplicate,
  type FieldProblem,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { pathSegmentFaults } from '../validation/names.ts';
import { validateRule } from './validate-webhook.ts';

/** Selectors that are absent select everything. */
export function defaultMatchResources(constraints: MatchResources): MatchResources {
  const withScope = (rule: NamedRule): NamedRule => fillIn(rule, { scope: '*' });
  const { resourceRules, excludeResourceRules } = constraints;
  return fillIn(
    {
      ...constraints,
      ...(resourceRules && { resourceRules: resourceRules.map(withScope) }),
      ...(excludeResourceRules && { excludeResourceRules: excludeResourceRules.map(withScope) }),
    },
    { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
  );
}

export function validateMatchResources(
  field: string,
  constraints: MatchResources | undefined,
): FieldProblem[] {
  if (!constraints) return [];
  const { matchPolicy, resourceRules = [], excludeResourceRules = [] } = constraints;
  const policies = ['Equivalent', 'Exact'];
  return [
    ...(matchPolicy === undefined
      ? [required(`${field}.matchPolicy`)]
      : oneOf(`${field}.matchPolicy`, matchPolicy, policies)),
    ...validateSelector(`${field}.namespaceSelector`, constraints.namespaceSelector),
    ...validateSelector(`${field}.objectSelector`, constraints.objectSelector),
    ...validateRules(`${field}.resourceRules`, resourceRules),
    ...validateRules(`${field}.excludeResourceRules`, excludeResourceRules),
  ];
}

function validateRules(field: string, rules: readonly NamedRule[]): FieldProblem[] {
  return rules.flatMap((rule, i) => [
    ...validateNames(`${field}[${i}].resourceNames`, rule.resourceNames ?? []),
    ...validateRule(`${field}[${i}]`, rule),
  ]);
}

function validateNames(field: string, names: readonly string[]): FieldProblem[] {
  return names.flatMap((name, i) => [
    ...invalidFor(`${field}[${i}]`, name, pathSegmentFaults(name)),
    ...(names.indexOf(name) < i ? [duplicate(`${field}[${i}]`, name)] : []),
  ]);
}
