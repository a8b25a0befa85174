import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import { coversPath } from './policy-rule.ts';

/**
 * The parts of `wanted` that `held` does not allow. Wanted rules are taken apart to one verb on one resource, or path,
 * each, so that every part is covered by a single held rule or not at all.
 */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  return wanted.flatMap(takeApart).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Rules are looked at before they are checked: one may lack even its verbs, and then allows nothing. */
function takeApart(rule: PolicyRule): PolicyRule[] {
  return (rule.verbs ?? []).flatMap((verb) => [
    ...resourceParts(rule, verb),
    ...pathParts(rule, verb),
  ]);
}

function resourceParts(rule: PolicyRule, verb: string): PolicyRule[] {
  const { apiGroups = [], resources = [], resourceNames = [] } = rule;
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource): PolicyRule[] => {
      const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
      if (resourceNames.length === 0) return [part];
      return resourceNames.map((name) => ({ ...part, resourceNames: [name] }));
    }),
  );
}

function pathParts({ nonResourceURLs = [] }: PolicyRule, verb: string): PolicyRule[] {
  return nonResourceURLs.map((url) => ({ nonResourceURLs: [url], verbs: [verb] }));
}

function covers(held: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAll(held.verbs, part.verbs) &&
    hasAll(held.apiGroups, part.apiGroups) &&
    coversResources(held.resources, part.resources) &&
    coversNames(held.resourceNames, part.resourceNames) &&
    coversPaths(held.nonResourceURLs, part.nonResourceURLs)
  );
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes('*') || wanted.every((one) => held.includes(one));
}

function coversResources(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (hasAll(held, wanted)) return true;
  return wanted.every((resource) => held.includes(resource) || held.includes(anyOf(resource)));
}

/** The wildcard for a subresource of whatever resource; a resource itself falls under none. */
function anyOf(resource: string): string {
  const slash = resource.indexOf('/');
  return slash < 0 ? '' : `*${resource.slice(slash)}`;
}

function coversNames(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

function coversPaths(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((path) => held.some((url) => coversPath(url, path)));
}
