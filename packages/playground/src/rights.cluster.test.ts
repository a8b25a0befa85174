import { fileURLToPath } from 'node:url';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { type Grant, grantsOfReviews, grantsOfRoles } from './testing/rights.ts';
import { renderRights } from './testing/rights-page.ts';
import { startRightsWorld } from './testing/rights-world.ts';
import type { World } from './world.ts';

const page = fileURLToPath(new URL('../../../docs/rights.md', import.meta.url));

let world: World<Minicluster>;
const ofRoles = new Map<string, readonly Grant[]>();

beforeAll(async () => {
  const surroundings = { clock: systemClock, random: systemRandom };
  world = await startRightsWorld(await embeddedKubernetes(surroundings));
  for (const { name, client } of world.clusters) ofRoles.set(name, await grantsOfRoles(client));
});

afterAll(() => world?.[Symbol.asyncDispose]());

test('docs/rights.md has what the roles of a pair of peers grant', async () => {
  await expect(renderRights(ofRoles)).toMatchFileSnapshot(page);
});

test('a SelfSubjectRulesReview gives every identity the same rights', async () => {
  const answered = new Map<string, readonly Grant[]>();
  for (const cluster of world.clusters) {
    const as = async (user: { name: string; groups: readonly string[] }) =>
      cluster.clientFor({ ...user, groups: [...user.groups] });
    const asked = ofRoles.get(cluster.name) ?? [];
    answered.set(cluster.name, await grantsOfReviews(as, asked));
  }
  expect(renderRights(answered)).toBe(renderRights(ofRoles));
});
