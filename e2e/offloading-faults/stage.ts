import { startWorld } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import type { Link, RealCluster } from '@liqo/testkit/real-cluster';
import { installChart } from '../install/install-chart.ts';
import { kubectl } from '../real-nodes/kubectl.ts';
import { forgeApplication, namespace, nodeName } from './application.ts';

/** Two clusters, the link between them, and an application that is at home in one and runs in the other. */
export interface Stage extends AsyncDisposable {
  /** The consumer. */
  readonly rome: RealCluster;
  /** The provider. */
  readonly milan: RealCluster;
  readonly link: Link;
}

const milan = {
  nodes: 2,
  hollowNodes: 8,
  // A lost node is to be noticed within the test, a busy machine is not to be taken for one.
  controllerManagerFlags: { 'node-monitor-grace-period': '30s', 'node-monitor-period': '2s' },
};

export async function setStage(): Promise<Stage> {
  const install = installChart;
  const kubernetes = realKubernetes({ clock: systemClock, clusters: { milan }, install });
  const capacity = { cpu: '10000', memory: '64Gi', pods: '200' };
  const world = await startWorld({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    virtualNodes: [{ name: nodeName, provider: 'milan', capacity }],
    offloaded: [namespace],
  });
  const [rome, provider] = [world.cluster('rome'), world.cluster('milan')];
  try {
    await deployApplication(rome);
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
  return {
    rome,
    milan: provider,
    link: kubernetes.linkBetween(rome, provider),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function deployApplication(rome: RealCluster): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: forgeApplication() };
  const inShop = (line: string, input?: string) => kubectl(rome, `-n ${namespace} ${line}`, input);
  await inShop('apply -f -', JSON.stringify(list));
  await inShop('rollout status deployment/crowd --timeout=120s');
  await inShop('rollout status deployment/web --timeout=60s');
  await inShop('rollout status statefulset/db --timeout=60s');
}
