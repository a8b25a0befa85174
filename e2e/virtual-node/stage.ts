import { fixedNames, VirtualNode, VkOptionsTemplate } from '@liqo/api';
import { createKubeconfig, startWorld } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { installChart } from '../install/install-chart.ts';
import { offloading } from '../offloading/seed-manifests.ts';
import { kubectl } from '../real-nodes/kubectl.ts';
import { loadTestImages } from '../real-nodes/test-images.ts';
import { namespace, virtualNodeOf } from './manifests.ts';

/** Two clusters; milan is two nodes of rome, and the namespace of the tests extends to it. */
export interface Stage extends AsyncDisposable {
  readonly rome: RealCluster;
  readonly milan: RealCluster;
}

/** Each with two virtual kubelets. */
const twinNodes = ['mynode', 'yournode'] as const;
export type TwinNode = (typeof twinNodes)[number];

/** Stock clusters wait for 50 s. Enough for a virtual kubelet that follows another, but not on a machine that is too busy. */
const patient = { controllerManagerFlags: { 'node-monitor-grace-period': '65s' } };

const vkOptionsTemplateRef = { namespace: 'liqo', name: 'two-of-them' };

export async function setStage(): Promise<Stage> {
  const install = installChart;
  const kubernetes = realKubernetes({ clock: systemClock, clusters: { rome: patient }, install });
  const world = await startWorld({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    byHand: true,
  });
  try {
    const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    await loadTestImages([milan]);
    await createOptions(rome, milan);
    await Promise.all(twinNodes.map((node) => lendNode(rome, milan, node)));
    await offload(rome);
    return { rome, milan, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** Two virtual kubelets, and pods that may call the API server at home, at the address it has in the other cluster. */
async function createOptions(rome: RealCluster, milan: RealCluster): Promise<void> {
  const key = { namespace: 'liqo', name: fixedNames.defaultVkOptionsTemplate };
  const usual = await rome.client.get(VkOptionsTemplate, key);
  if (!usual) throw new Error(`Cannot find VkOptionsTemplate "${key.name}": was it installed?`);
  const { hostname, port } = new URL(rome.serverFrom(milan));
  const extraArgs = [
    '--enable-apiserver-support',
    `--home-api-server-host=${hostname}`,
    `--home-api-server-port=${port}`,
  ];
  await rome.client.create(VkOptionsTemplate, {
    metadata: vkOptionsTemplateRef,
    spec: { ...usual.spec, replicas: 2, extraArgs },
  });
}

async function lendNode(rome: RealCluster, milan: RealCluster, name: string): Promise<void> {
  const secret = `kubeconfig-${name}`;
  await createKubeconfig(rome, milan, { name: secret, user: 'mypool-rome' });
  await rome.client.create(VirtualNode, virtualNodeOf(name, secret, { vkOptionsTemplateRef }));
  await kubectl(rome, `wait node/${name} --for=create --timeout=90s`);
  await kubectl(rome, `wait node/${name} --for=condition=Ready --timeout=90s`);
}

async function offload(rome: RealCluster): Promise<void> {
  const inNamespace = (line: string, input?: string) =>
    kubectl(rome, `-n ${namespace} ${line}`, input);
  await kubectl(rome, `create namespace ${namespace}`);
  await inNamespace('wait serviceaccount/default --for=create --timeout=90s');
  await inNamespace('apply -f -', JSON.stringify(offloading));
  const isReady = '--for=jsonpath={.status.offloadingPhase}=Ready';
  await inNamespace(`wait namespaceoffloading/offloading ${isReady} --timeout=90s`);
}
