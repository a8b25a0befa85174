import { ApiError } from '@liqo/kube';
import type { Registry } from '../../rest/registry.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { matchesRule } from '../webhooks/matches-rule.ts';
import { equivalents, subjectOf } from '../webhooks/review-target.ts';
import { selectsNamespace, selectsObject } from '../webhooks/selects-request.ts';
import type { MatchResources, NamedRule } from './policy-spec.ts';

/** Whether a request is meant, and the form of its resource by which it is. */
export type Match = { readonly target: Resource } | { readonly error: string } | undefined;

/** The constraints of a policy, or of a binding: without rules, a binding is about every resource. */
export function matchResources(
  constraints: MatchResources,
  attributes: AdmissionAttributes,
  store: Store,
  registry: Registry,
): Match {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = constraints;
  const target = (rules: readonly NamedRule[]) =>
    targetOf(rules, matchPolicy, attributes, registry);
  // Rules are compared first: they leave most requests out, and cost the least.
  const found = resourceRules.length === 0 ? attributes.resource : target(resourceRules);
  if (!found || !selectsObject(constraints, attributes)) return undefined;
  if (target(excludeResourceRules)) return undefined;
  try {
    return selectsNamespace(constraints, attributes, store) ? { target: found } : undefined;
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message };
    throw error;
  }
}

function targetOf(
  rules: readonly NamedRule[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  registry: Registry,
): Resource | undefined {
  if (rules.length === 0) return undefined;
  const { resource } = attributes;
  if (rules.some((rule) => matches(rule, attributes, resource))) return resource;
  if (matchPolicy === 'Exact') return undefined;
  const others = equivalents(resource, registry);
  for (const rule of rules) {
    const other = others.find((one) => matches(rule, attributes, one));
    if (other) return other;
  }
  return undefined;
}

/** The name of an object that is about to get a generated one is empty: no rule names it. */
function matches(rule: NamedRule, attributes: AdmissionAttributes, resource: Resource): boolean {
  const { resourceNames = [] } = rule;
  const isNamed = resourceNames.length === 0 || resourceNames.includes(attributes.name);
  return isNamed && matchesRule(rule, subjectOf(attributes, resource));
}
