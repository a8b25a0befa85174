import type { ClusterRole } from 'kubernetes-types/rbac/v1.d.ts';
import { expect, test } from 'vitest';
import { aggregateRules, withAggregatedRules } from './aggregate-rules.ts';

const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const role = (
  name: string,
  labels: Record<string, string>,
  ...resources: string[]
): ClusterRole => ({
  metadata: { name, labels },
  rules: resources.map(rule),
});
const aggregating = (name: string, label: string, labels = {}): ClusterRole => ({
  ...role(name, labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'yes' } }] },
});
const resourcesOf = (rules: ClusterRole['rules']) =>
  rules?.flatMap(({ resources = [] }) => resources);

test('aggregateRules() joins the selected roles in the order of their names, each rule once', () => {
  const all = [
    role('b', { to: 'yes' }, 'b', 'c'),
    role('a', { to: 'yes' }, 'c', 'a'),
    role('x', {}, 'x'),
  ];
  expect(resourcesOf(aggregateRules(aggregating('all', 'to'), all))).toEqual(['c', 'a', 'b']);
});

test('aggregateRules() leaves the role itself out, though it may select itself', () => {
  const self = { ...aggregating('all', 'to', { to: 'yes' }), rules: [rule('old')] };
  expect(aggregateRules(self, [self, role('a', { to: 'yes' }, 'a')])).toEqual([rule('a')]);
});

test('aggregateRules() of a role that does not aggregate is undefined', () => {
  expect(aggregateRules(role('a', {}, 'a'), [])).toBeUndefined();
});

test('withAggregatedRules() follows aggregating roles through each other', () => {
  const roles = withAggregatedRules([
    aggregating('admin', 'to-admin'),
    aggregating('edit', 'to-edit', { 'to-admin': 'yes' }),
    role('edits', { 'to-edit': 'yes' }, 'pods'),
  ]);
  expect(roles.map(({ rules }) => resourcesOf(rules))).toEqual([['pods'], ['pods'], ['pods']]);
});
