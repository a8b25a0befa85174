import { expect, test } from 'vitest';
import { withDistinctOwners } from './distinct-owners.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'one' };

function distinct(ownerReferences: (typeof owner)[], when: 'sent' | 'admitted' = 'sent') {
  const warnings: string[] = [];
  const warn = (warning: string) => warnings.push(warning);
  const { metadata } = withDistinctOwners({ metadata: { ownerReferences } }, { warn }, when);
  return { owners: metadata?.ownerReferences, warnings };
}

test('withDistinctOwners() says nothing of owners that differ, be it in one field', () => {
  const owners = [owner, { ...owner, name: 'other' }];
  expect(distinct(owners)).toEqual({ owners, warnings: [] });
});

test('withDistinctOwners() keeps the first of equal owners, and tells of each further one', () => {
  const other = { ...owner, uid: 'two' };
  const { owners, warnings } = distinct([owner, other, owner, other, owner]);
  expect(owners).toEqual([owner, other]);
  expect(warnings).toEqual([
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: one, two, one',
  ]);
});

test('withDistinctOwners() tells of owners that were there after admission', () => {
  expect(distinct([owner, owner], 'admitted').warnings[0]).toContain(
    'contains duplicate entries after mutating admission happens; ',
  );
});
