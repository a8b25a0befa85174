import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedNames, NamespaceOffloading } from '@liqo/api';
import { Namespace } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import { compareObjects, type Difference, type Objects } from './testing/compare-objects.ts';
import { isListed, readListedDifferences } from './testing/listed-differences.ts';
import { readObjects } from './testing/read-objects.ts';
import type { World } from './world.ts';

let world: World<Minicluster>;

beforeAll(async () => {
  world = await startWorld({
    kubernetes: await embeddedKubernetes({ clock: systemClock, random: systemRandom }),
    consumer: 'rome',
    providers: ['milan'],
    virtualNodes: [
      { name: 'milan', provider: 'milan', capacity: { cpu: '500', memory: '1000Gi', pods: '10k' } },
      { name: 'mypool', provider: 'milan', capacity: { cpu: '2', memory: '4Gi', pods: '10' } },
    ],
    offloaded: ['shop2'],
  });
  const { client } = world.cluster('rome');
  await client.create(Namespace, { metadata: { name: 'shop' } });
  const key = { namespace: 'shop', name: fixedNames.namespaceOffloading };
  const spec = {
    namespaceMappingStrategy: 'EnforceSameName',
    podOffloadingStrategy: 'Remote',
  } as const;
  await client.create(NamespaceOffloading, { metadata: key, spec });
  await eventually(async () => {
    const offloading = await client.get(NamespaceOffloading, key);
    expect(offloading?.status?.offloadingPhase).toBe('Ready');
  });
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

function recorded(role: string): Objects {
  const path = join(import.meta.dirname, 'testing/liqo-v1.2', `${role}.yaml`);
  return new Map(Object.entries(load(readFileSync(path, 'utf8')) as object));
}

const page = readFileSync(join(import.meta.dirname, '../../../docs/compatibility.md'), 'utf8');
const listed = readListedDifferences(page);

async function findDifferences(): Promise<readonly Difference[]> {
  const clusters = [
    [recorded('consumer'), 'rome'],
    [recorded('provider'), 'milan'],
  ] as const;
  const found = clusters.map(async ([liqo, name]) =>
    compareObjects(liqo, await readObjects(world.cluster(name).client)),
  );
  return (await Promise.all(found)).flat();
}

test('the objects differ from those of Liqo v1.2 as docs/compatibility.md lists it', async () => {
  await eventually(async () => {
    const differences = await findDifferences();
    const unlisted = differences.filter((one) => !listed.some((row) => isListed(row, one)));
    expect(unlisted).toEqual([]);
    const unseen = listed.filter((row) => !differences.some((one) => isListed(row, one)));
    expect(unseen).toEqual([]);
  });
});
