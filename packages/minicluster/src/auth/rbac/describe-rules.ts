import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';

/** Rules as the server lists them in a refusal: one a line, those of one resource joined, in alphabetical order. */
export function describeRules(rules: readonly PolicyRule[]): string {
  return [...new Set(joinVerbs(rules).map(describeRule))].sort().join('\n');
}

/** Rules that differ in nothing but their verbs are told as one, except those about paths. */
function joinVerbs(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const { verbs, ...rest } of rules.filter((rule) => !rule.nonResourceURLs)) {
    const key = JSON.stringify(rest);
    joined.set(key, { ...rest, verbs: [...(joined.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...joined.values(), ...rules.filter((rule) => rule.nonResourceURLs)];
}

function describeRule(rule: PolicyRule): string {
  const fields = [
    describeField('APIGroups', rule.apiGroups),
    describeField('Resources', rule.resources),
    describeField('NonResourceURLs', rule.nonResourceURLs),
    describeField('ResourceNames', rule.resourceNames),
    describeField('Verbs', rule.verbs),
  ];
  return `{${fields.filter((field) => field !== '').join(', ')}}`;
}

function describeField(name: string, values: readonly string[] = []): string {
  return values.length > 0 ? `${name}:${quoteList(values)}` : '';
}

/** `["a" "b"]`. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
