import { expect, test } from 'vitest';
import { matchesRule } from './matches-rule.ts';

const subject = {
  operation: 'CREATE',
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  subresource: '',
  namespaced: true,
};
const rule = {
  operations: ['CREATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
  scope: '*',
};

test.each([
  ['takes what it names', {}, {}, true],
  ['leaves out another operation', { operations: ['UPDATE', 'DELETE'] }, {}, false],
  ['takes any operation for a star', { operations: ['*'] }, { operation: 'CONNECT' }, true],
  ['leaves out another group', { apiGroups: [''] }, {}, false],
  ['takes any group for a star', { apiGroups: ['*'] }, {}, true],
  ['leaves out another version', { apiVersions: ['v2'] }, {}, false],
  ['takes any version for a star', { apiVersions: ['v2', '*'] }, {}, true],
  ['leaves out another resource', { resources: ['pods'] }, {}, false],
  ['leaves out subresources of a resource', {}, { subresource: 'status' }, false],
  [
    'leaves out subresources of any resource',
    { resources: ['*'] },
    { subresource: 'scale' },
    false,
  ],
  ['takes a subresource', { resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
  ['leaves out the resource of one', { resources: ['deployments/scale'] }, {}, false],
  ['takes all subresources', { resources: ['deployments/*'] }, { subresource: 'scale' }, true],
  ['takes the resource of all subresources', { resources: ['deployments/*'] }, {}, true],
  ['takes one of any resource', { resources: ['*/scale'] }, { subresource: 'scale' }, true],
  ['takes everything', { resources: ['*/*'] }, { subresource: 'status' }, true],
  ['takes nothing without resources', { resources: undefined }, {}, false],
  ['takes any scope if it says none', { scope: undefined }, { namespaced: false }, true],
  ['takes what is in a namespace', { scope: 'Namespaced' }, {}, true],
  ['leaves out what is in none', { scope: 'Namespaced' }, { namespaced: false }, false],
  ['takes what is in none', { scope: 'Cluster' }, { namespaced: false }, true],
  ['leaves out what is in a namespace', { scope: 'Cluster' }, {}, false],
])('matchesRule() %s', (_, ruleChange, subjectChange, expected) => {
  const changed = { ...rule, ...ruleChange } as Parameters<typeof matchesRule>[0];
  expect(matchesRule(changed, { ...subject, ...subjectChange })).toBe(expected);
});
