import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/cluster';
import { describe, expect } from 'vitest';
import { kubectl } from './kubectl.ts';
import { type GetPair, type Place, patience, testOnBoth } from './place.ts';
import { podOf, serviceOf, webDeployment } from './workloads.ts';

/** Nodes that leave, in good order or not, and come back. */
export function nodeFaultSuite(pair: GetPair): void {
  testOnBoth(pair, 'kubectl drain moves the pods of a node to another', async (place) => {
    const [staying = '', leaving = ''] = place.cluster.nodes.map(({ name }) => name);
    await place.apply(webDeployment('web', 2));
    await place.run('rollout status deployment/web --timeout=90s');
    await place.run(`drain ${leaving} --force --delete-emptydir-data --timeout=90s`);
    await place.run('rollout status deployment/web --timeout=90s');
    expect(await nodesOf(place)).toEqual([staying, staying]);
    await place.run(`uncordon ${leaving}`);
  });

  describe.concurrent('without notice, one or the other', () => lossSuite(pair));
}

/** At the same time: each has a node of its own to lose. */
function lossSuite(pair: GetPair): void {
  testOnBoth(
    pair,
    'stop() of a node is noticed, and start() finds its containers',
    async (place) => {
      const node = place.cluster.node(`${place.cluster.name}-node-1`);
      await place.apply(podOf('steady', 'exec sleep 3600', { spec: { nodeName: node.name } }));
      await place.ready('steady');
      const before = await containerOf(place, 'steady');
      await node.stop();
      await readiness(place.cluster, node.name, 'Unknown');
      await node.start();
      await readiness(place.cluster, node.name, 'True');
      await place.ready('steady');
      expect(await containerOf(place, 'steady')).toEqual(before);
    },
  );

  testOnBoth(
    pair,
    'kill() of a node ends its containers, and start() runs them anew',
    async (place) => {
      const node = place.cluster.node(`${place.cluster.name}-node-2`);
      await place.apply(webDeployment('web', 2), serviceOf('web'));
      await place.apply(podOf('victim', 'exec sleep 3600', { spec: { nodeName: node.name } }));
      await place.run('rollout status deployment/web --timeout=90s');
      await place.ready('victim');
      const before = await containerOf(place, 'victim');
      await node.kill();
      await readiness(place.cluster, node.name, 'Unknown');
      await node.start();
      await readiness(place.cluster, node.name, 'True');
      const expectRestarted = async () => {
        const after = await containerOf(place, 'victim');
        expect(after.restarts).toBeGreaterThan(before.restarts);
        expect(after.id).not.toBe(before.id);
      };
      await eventually(expectRestarted, patience);
      await place.ready('victim');
      await place.run('rollout status deployment/web --timeout=90s');
    },
  );
}

async function nodesOf(place: Place): Promise<readonly string[]> {
  const running = '--field-selector=status.phase=Running';
  return (await place.run(`get pods ${running} -o jsonpath={.items[*].spec.nodeName}`)).split(' ');
}

async function containerOf(place: Place, pod: string) {
  const { status } = JSON.parse(await place.run(`get pod ${pod} -o json`));
  const [{ containerID, restartCount }] = status.containerStatuses;
  return { id: containerID as string, restarts: restartCount as number };
}

/** Resolves when the API server says so of the node. */
async function readiness(cluster: RealCluster, node: string, status: string): Promise<void> {
  await kubectl(cluster, `wait node/${node} --for=condition=Ready=${status} --timeout=90s`);
}
