import type { Link, RealCluster } from '@liqo/testkit/cluster';
import { introduce, startLiqoPair } from '../offloading/liqo-pair.ts';
import { offloading } from '../offloading/seed-manifests.ts';
import { kubectl } from '../real-nodes/kubectl.ts';
import { forgeApplication, namespace, nodeName, virtualNode } from './application.ts';

/** Two clusters, the link between them, and an application that is at home in one and runs in the other. */
export interface Stage extends AsyncDisposable {
  /** The consumer. */
  readonly rome: RealCluster;
  /** The provider. */
  readonly milan: RealCluster;
  readonly link: Link;
}

const milanOptions = {
  nodes: 2,
  hollowNodes: 8,
  // A lost node is to be noticed within the test, a busy machine is not to be taken for one.
  controllerManagerFlags: { 'node-monitor-grace-period': '30s', 'node-monitor-period': '2s' },
};

export async function setStage(): Promise<Stage> {
  const { rome, milan, link } = await startLiqoPair(milanOptions);
  await introduce(rome, milan);
  await apply(rome, virtualNode);
  await kubectl(rome, `wait node/${nodeName} --for=create --timeout=60s`);
  await kubectl(rome, `wait node/${nodeName} --for=condition=Ready --timeout=60s`);
  await openNamespace(rome);
  await apply(rome, ...forgeApplication());
  const inShop = (line: string) => kubectl(rome, `-n ${namespace} ${line}`);
  await inShop('rollout status deployment/crowd --timeout=120s');
  await inShop('rollout status deployment/web --timeout=60s');
  await inShop('rollout status statefulset/db --timeout=60s');
  return {
    rome,
    milan,
    link,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([rome, milan].map((cluster) => cluster[Symbol.asyncDispose]()));
    },
  };
}

async function openNamespace(rome: RealCluster): Promise<void> {
  await kubectl(rome, `create namespace ${namespace}`);
  await kubectl(rome, `-n ${namespace} wait serviceaccount/default --for=create --timeout=20s`);
  await apply(rome, offloading);
  await kubectl(
    rome,
    `-n ${namespace} wait namespaceoffloading/offloading --for=jsonpath={.status.offloadingPhase}=Ready --timeout=60s`,
  );
}

async function apply(cluster: RealCluster, ...items: readonly object[]): Promise<void> {
  await kubectl(cluster, 'apply -f -', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}
