import fc from 'fast-check';
import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import { test } from 'vitest';
import type { Access } from '../access.ts';
import { ruleAllows } from './policy-rule.ts';
import { uncoveredRules } from './rule-coverage.ts';

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
const rules = fc.array(
  fc.record<PolicyRule>({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/status', 'nodes', '*/status', '*'),
    resourceNames: fc.subarray(['a', 'b']),
  }),
  { maxLength: 4 },
);
const accesses = fc.record({
  verb: fc.constantFrom('get', 'list', 'delete'),
  group: fc.constantFrom('', 'apps', 'batch'),
  combined: fc.constantFrom('pods', 'pods/status', 'nodes', 'nodes/status', 'jobs'),
  name: fc.constantFrom('', 'a', 'b', 'c'),
});

function accessFor(given: { verb: string; group: string; combined: string; name: string }): Access {
  const [plural = '', subresource = ''] = given.combined.split('/');
  const resource = { group: given.group, plural, subresource, namespace: '', name: given.name };
  return { user: { name: '', groups: [], extra: {} }, verb: given.verb, resource, path: '' };
}

test('whoever is missing nothing of some rules may do all that these allow', () => {
  fc.assert(
    fc.property(rules, rules, accesses, (held, wanted, given) => {
      fc.pre(uncoveredRules(held, wanted).length === 0);
      const access = accessFor(given);
      const isAllowed = (list: readonly PolicyRule[]) =>
        list.some((rule) => ruleAllows(rule, access));
      return !isAllowed(wanted) || isAllowed(held);
    }),
    { numRuns: 1000, maxSkipsPerRun: 1000 },
  );
});

test('nobody is missing anything of the rules they hold', () => {
  fc.assert(fc.property(rules, (held) => uncoveredRules(held, held).length === 0));
});
