import type { RuleWithOperations } from 'kubernetes-types/admissionregistration/v1.d.ts';

/** What a rule looks at of a request. */
export interface RuleSubject {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespaced: boolean;
}

export function matchesRule(rule: RuleWithOperations, subject: RuleSubject): boolean {
  return (
    matchesScope(rule.scope ?? '*', subject.namespaced) &&
    isIn(rule.operations, subject.operation) &&
    isIn(rule.apiGroups, subject.group) &&
    isIn(rule.apiVersions, subject.version) &&
    (rule.resources ?? []).some((resource) => matchesResource(resource, subject))
  );
}

function isIn(names: readonly string[] | undefined, name: string): boolean {
  return names?.includes('*') || names?.includes(name) || false;
}

function matchesScope(scope: string, namespaced: boolean): boolean {
  return scope === '*' || scope === (namespaced ? 'Namespaced' : 'Cluster');
}

// `pods`, `pods/status`, `pods/*`, `*/scale`, `*/*`: without a slash no subresource is meant.
function matchesResource(resource: string, { plural, subresource }: RuleSubject): boolean {
  const [name, sub = ''] = resource.split('/', 2);
  return (name === '*' || name === plural) && (sub === '*' || sub === subresource);
}
