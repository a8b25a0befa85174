import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { expect } from 'vitest';
import { kubectl } from './kubectl.ts';
import { type GetPair, type Place, patience, testOnBoth } from './place.ts';
import { spareNodeOf, toleratesSpare } from './start-pair.ts';
import { podOf, serviceOf, webDeployment } from './workloads.ts';

/** Nodes that leave, in good order or not, and come back: the spare one, so that nobody else minds. */
export function nodeFaultSuite(pair: GetPair): void {
  testOnBoth(pair, 'kubectl drain moves the pods of a node to another', async (place) => {
    const [staying, leaving] = pairOfNodes(place.cluster);
    await place.create(webDeployment('web', 2, onNodes(staying, leaving)));
    await place.run('rollout status deployment/web --timeout=90s');
    expect(await nodesOf(place)).toEqual([staying, leaving]);
    await place.run(`drain ${leaving} --force --delete-emptydir-data --timeout=90s`);
    await place.run('rollout status deployment/web --timeout=90s');
    expect(await nodesOf(place)).toEqual([staying, staying]);
    await place.run(`uncordon ${leaving}`);
  });

  testOnBoth(
    pair,
    'stop() of a node is noticed, and start() finds its containers',
    async (place) => {
      const node = spareNodeOf(place.cluster);
      await place.create(podOf('steady', 'exec sleep 3600', { spec: { nodeName: node.name } }));
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
      const node = spareNodeOf(place.cluster);
      const onBoth = onNodes(...pairOfNodes(place.cluster));
      await place.create(webDeployment('web', 2, onBoth), serviceOf('web'));
      await place.create(podOf('victim', 'exec sleep 3600', { spec: { nodeName: node.name } }));
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

/** One that stays, and the one that may be lost. */
function pairOfNodes(cluster: RealCluster): readonly [string, string] {
  return [`${cluster.name}-node-2`, spareNodeOf(cluster).name];
}

/** For a pod that runs on one of these, be it spare or not. */
function onNodes(...names: readonly string[]): object {
  const nodeSelectorTerms = names.map((name) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  }));
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...toleratesSpare, affinity: { nodeAffinity } };
}

async function nodesOf(place: Place): Promise<readonly string[]> {
  const running = '--field-selector=status.phase=Running';
  const names = await place.run(`get pods ${running} -o jsonpath={.items[*].spec.nodeName}`);
  return names.split(' ').sort();
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
