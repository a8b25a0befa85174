import type { NodeSelectorRequirement, NodeSelectorTerm } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import {
  checkNodeSelector,
  matchesNodeSelector,
  matchesNodeSelectorTerm,
} from './node-selector.ts';

const node = {
  metadata: { name: 'eu-1', labels: { zone: 'eu', cores: '16', 'liqo.io/type': '' } },
};

const labels = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, values }],
});

const field = (key: string, operator: string, ...values: string[]): NodeSelectorRequirement => ({
  key,
  operator,
  values,
});

test.each([
  [labels('zone', 'In', 'us', 'eu'), true],
  [labels('zone', 'In', 'us'), false],
  [labels('rack', 'In', 'a'), false],
  [labels('zone', 'NotIn', 'us'), true],
  [labels('zone', 'NotIn', 'eu'), false],
  [labels('rack', 'NotIn', 'a'), true],
  [labels('liqo.io/type', 'Exists'), true],
  [labels('rack', 'Exists'), false],
  [labels('rack', 'DoesNotExist'), true],
  [labels('zone', 'DoesNotExist'), false],
  [labels('cores', 'Gt', '8'), true],
  [labels('cores', 'Gt', '16'), false],
  [labels('cores', 'Lt', '100'), true],
  [labels('cores', 'Lt', '16'), false],
  [labels('zone', 'Gt', '8'), false],
  [labels('rack', 'Lt', '8'), false],
])('matchesNodeSelectorTerm() judges by labels: %j', (term, matches) => {
  expect(matchesNodeSelectorTerm(term, node)).toBe(matches);
});

test.each([
  [field('metadata.name', 'In', 'eu-1'), true],
  [field('metadata.name', 'In', 'eu-2'), false],
  [field('metadata.name', 'NotIn', 'eu-1'), false],
  [field('metadata.name', 'NotIn', 'eu-2'), true],
  [field('spec.podCIDR', 'In', '10.0.0.0/8'), false],
  [field('spec.podCIDR', 'NotIn', '10.0.0.0/8'), true],
])('matchesNodeSelectorTerm() judges by fields: %j', (requirement, matches) => {
  expect(matchesNodeSelectorTerm({ matchFields: [requirement] }, node)).toBe(matches);
});

test('matchesNodeSelectorTerm() needs all requirements of a term', () => {
  const good = labels('zone', 'In', 'eu').matchExpressions ?? [];
  const bad = labels('rack', 'Exists').matchExpressions ?? [];
  const named = [field('metadata.name', 'In', 'eu-1')];
  const other = [field('metadata.name', 'In', 'eu-2')];
  expect(matchesNodeSelectorTerm({ matchExpressions: good, matchFields: named }, node)).toBe(true);
  expect(matchesNodeSelectorTerm({ matchExpressions: good, matchFields: other }, node)).toBe(false);
  expect(matchesNodeSelectorTerm({ matchExpressions: [...good, ...bad] }, node)).toBe(false);
});

test('matchesNodeSelector() needs one term', () => {
  const [good, bad] = [labels('zone', 'In', 'eu'), labels('rack', 'Exists')];
  expect(matchesNodeSelector({ nodeSelectorTerms: [bad, good] }, node)).toBe(true);
  expect(matchesNodeSelector({ nodeSelectorTerms: [bad, bad] }, node)).toBe(false);
});

test('no terms and empty terms match no node', () => {
  expect(matchesNodeSelector({ nodeSelectorTerms: [] }, node)).toBe(false);
  expect(matchesNodeSelector({ nodeSelectorTerms: [{}] }, node)).toBe(false);
  const empty = { matchExpressions: [], matchFields: [] };
  expect(matchesNodeSelector({ nodeSelectorTerms: [empty] }, node)).toBe(false);
});

test('a term that is not valid matches no node, and the others still count', () => {
  const [invalid, good] = [labels('zone', 'NotIn'), labels('zone', 'In', 'eu')];
  expect(matchesNodeSelectorTerm(invalid, node)).toBe(false);
  expect(matchesNodeSelector({ nodeSelectorTerms: [invalid, good] }, node)).toBe(true);
});

test('a node without metadata has no labels', () => {
  expect(matchesNodeSelectorTerm(labels('zone', 'DoesNotExist'), {})).toBe(true);
  expect(matchesNodeSelectorTerm(labels('zone', 'Exists'), {})).toBe(false);
});

test.each<[NodeSelectorTerm, string[]]>([
  [labels('zone', 'In', 'eu'), []],
  [{}, []],
  [
    labels('zone', 'in', 'eu'),
    ['"in" is not an operator (use In, NotIn, Exists, DoesNotExist, Gt, Lt)'],
  ],
  [labels('zone', 'In'), ['"zone" needs values for the operator "in"']],
  [labels('cores', 'Gt', 'many'), ['"cores" needs one integer for the operator ">"']],
  [labels('cores', 'Lt', '1', '2'), ['"cores" needs one integer for the operator "<"']],
  [labels('zone', 'Exists', 'eu'), ['"zone" must not have values, for only its presence matters']],
  [
    labels('a b', 'Exists'),
    ['the key "a b" has characters other than letters, digits, "-", "_" and "."'],
  ],
  [
    { matchFields: [field('metadata.name', 'Exists', 'a')] },
    ['"Exists" is not an operator (use In, NotIn)'],
  ],
  [
    { matchFields: [field('metadata.name', 'In', 'a', 'b')] },
    ['the field "metadata.name" needs one value'],
  ],
])('checkNodeSelector() finds the faults of %j', (term, faults) => {
  expect(checkNodeSelector({ nodeSelectorTerms: [labels('ok', 'Exists'), term] })).toEqual(
    faults.map((fault) => `in term 1, ${fault}`),
  );
});
