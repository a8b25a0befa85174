import { findCondition, Node, Pod } from '@liqo/kube';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { expect, test } from 'vitest';
import { byForce, handOver, inGoodOrder, withoutAWord } from './hand-over.ts';
import { podOn } from './manifests.ts';
import { type GetStage, inShop, runPod } from './place.ts';
import type { TwinNode } from './stage.ts';
import { Vigil } from './vigil.ts';

const ends = [
  { way: 'is deleted', end: inGoodOrder, node: 'mynode' },
  { way: 'is deleted by force', end: byForce, node: 'mynode' },
  { way: 'dies without a word', end: withoutAWord, node: 'yournode' },
] as const;

/** Two virtual kubelets of a node, of which one is at work. */
export function handoverSuite(stage: GetStage, node: TwinNode): void {
  const [first, second] = [`first-of-${node}`, `second-of-${node}`];

  test.sequential('pods run', async () => {
    const pods = [first, second].map((name) => podOn(node, name));
    await Promise.all(pods.map((pod) => runPod(stage().rome, pod)));
  });

  for (const { way, end } of ends.filter((one) => one.node === node)) {
    test.sequential(`one that ${way} is followed by the other, and node and pods stay ready`, async () => {
      const { rome } = stage();
      const [since, uids] = [await readySince(rome, node), await podUids(rome, node)];
      await using vigil = await Vigil.begin(rome.client, node);
      const { takenAfterMs, reachedAfterMs } = await handOver(rome, node, end);
      process.stdout.write(
        `  A virtual kubelet ${way}: another leads after ${seconds(takenAfterMs)}, and is reached after ${seconds(reachedAfterMs)}\n`,
      );
      expect(await inShop(stage(), `exec ${first} -- hostname`)).toBe(first);
      await runPod(rome, podOn(node, `after-it-${way.replaceAll(' ', '-')}`));
      expect(vigil.lapses).toEqual([]);
      expect(await readySince(rome, node)).toBe(since);
      expect(await podUids(rome, node)).toEqual(expect.arrayContaining(uids));
    });
  }
}

/** Since when the node is ready, without a break. */
async function readySince({ client }: RealCluster, name: string): Promise<unknown> {
  const node = await client.get(Node, { name });
  const ready = findCondition(node?.status?.conditions, 'Ready');
  expect(ready).toMatchObject({ status: 'True' });
  return ready?.lastTransitionTime;
}

async function podUids({ client }: RealCluster, node: string): Promise<string[]> {
  const { items } = await client.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
  return items.map(({ metadata }) => metadata.uid);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
