import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { findAssets, type RealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Reader } from './docs/reader.ts';
import { kubectl } from './real-nodes/kubectl.ts';

/** The pages that take real clusters with real nodes, typed as they stand there. */
const programs = findAssets(['kubectl', 'helm'], process.env, ['helm']);
const timeoutMs = 900_000;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-real-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'docs/guides/real-clusters.md can be followed to the letter, and Ctrl-C leaves nothing',
  async () => {
    await using reader = new Reader({ folder: newFolder(), programs, timeoutMs: 300_000 });
    await reader.follow('docs/guides/real-clusters.md');
    await reader.finish();
  },
  timeoutMs,
);

describe('docs/guides/own-clusters.md', () => {
  let world: World<RealCluster>;

  beforeAll(async () => {
    const kubernetes = realKubernetes({ clock: systemClock });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'], bare: true });
  }, timeoutMs);

  afterAll(() => world?.[Symbol.asyncDispose]());

  test(
    'makes a provider a node of two clusters that know nothing of each other',
    async () => {
      const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
      const own = newFolder();
      mkdirSync(join(own, 'liqo'));
      const admin = { name: 'admin', groups: ['system:masters'] };
      const fromRome = await milan.kubeconfigFor(admin, rome);
      writeFileSync(join(own, 'liqo/rome.kubeconfig'), rome.kubeconfigText);
      writeFileSync(join(own, 'liqo/milan.kubeconfig'), fromRome);
      await using reader = new Reader({ folder: own, programs, timeoutMs: 300_000 });
      await reader.follow('docs/guides/own-clusters.md');
      await kubectl(rome, 'wait node/mynode --for=condition=Ready --timeout=60s');
    },
    timeoutMs,
  );
});

function newFolder(): string {
  return mkdtempSync(join(folder, 'reader-'));
}
