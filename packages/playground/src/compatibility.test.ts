import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterRole } from '@liqo/kube';
import { defaultValues, forgeManifests } from '@liqo/manifests';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { compareRoles, type RoleRights, rightsOfRoles } from './testing/compare-roles.ts';
import { isListed, readListedDifferences } from './testing/listed-differences.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/compatibility.md'), 'utf8');

test('the roles differ from those of Liqo v1.2 as docs/compatibility.md lists it', () => {
  const path = join(import.meta.dirname, 'testing/liqo-v1.2/roles.yaml');
  const liqo = load(readFileSync(path, 'utf8')) as RoleRights;
  const roles = forgeManifests({ ...defaultValues, clusterID: 'rome' }).filter(
    ({ kind }) => kind === 'ClusterRole',
  ) as readonly ClusterRole[];
  const differences = compareRoles(liqo, rightsOfRoles(roles, Object.keys(liqo)));
  const listed = readListedDifferences(page, ['role', 'right']);
  expect(differences.filter((one) => !listed.some((row) => isListed(row, one)))).toEqual([]);
  expect(listed.filter((row) => !differences.some((one) => isListed(row, one)))).toEqual([]);
});

/** Where the Events of a peering are recorded, and where their reasons are chosen. */
const folders = [
  'packages/controllers/src/authentication',
  'packages/controllers/src/replication',
  'packages/controllers/src/slices',
  'packages/model/src/authentication',
  'packages/model/src/replication',
  'packages/model/src/slices',
];

/** Texts in the places of reasons. Those of conditions are among them: an Event repeats most of them. */
const reasonIn =
  /(?:reason: |(?:report|refused?|unread|complain|warn)\((?:\w+, )?|reason = .* \? )'([A-Z]\w+)'/g;

function reasonsInSource(): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const found = files.flatMap((text) => [...text.matchAll(reasonIn)]);
  return [...new Set(found.map(([, reason = '']) => reason))].toSorted();
}

test('docs/compatibility.md lists every reason of the Events and conditions of a peering', () => {
  const [, table = ''] = /\n## Events and reasons\n([\s\S]*?)\n## /.exec(page) ?? [];
  const listed = [...table.matchAll(/`([A-Z]\w+)`/g)].map(([, reason]) => reason);
  const reasons = reasonsInSource();
  expect(reasons.length).toBeGreaterThan(40);
  expect(reasons.filter((reason) => !listed.includes(reason))).toEqual([]);
});
