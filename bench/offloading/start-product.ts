import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labels, tenantNamespaceName } from '@liqo/api';
import { isConditionTrue, Node, Pod } from '@liqo/kube';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { freePort } from './free-port.ts';
import { ProductProcess } from './product-process.ts';

/** The clusters of a benchmark are on this machine. */
const loopbackPeers = { 'allow-insecure-peers': 'true' };

const patient = { timeoutMs: 60_000, intervalMs: 100 };

export async function startControllers(
  cluster: RealCluster,
  programs: string,
): Promise<ProductProcess> {
  const kubeconfig = await writeKubeconfig(cluster, 'liqo', 'liqo-controller-manager');
  const process = new ProductProcess({
    name: 'controller-manager',
    command: [
      ...node(cluster, 'controller-manager'),
      join(programs, 'liqo.mjs'),
      'controller-manager',
    ],
    flags: {
      'cluster-id': cluster.name,
      'health-probe-address': '127.0.0.1:0',
      ...loopbackPeers,
    },
    folder: cluster.folder,
    kubeconfig,
    checkReady: async () => {},
  });
  await process.start();
  return process;
}

export async function startKubelet(
  rome: RealCluster,
  nodeNames: readonly string[],
  programs: string,
): Promise<ProductProcess> {
  const [first = ''] = nodeNames;
  const namespace = tenantNamespaceName('milan');
  const isAlone = nodeNames.length === 1;
  const kubeconfig = isAlone
    ? await writeKubeconfig(rome, namespace, first)
    : await writeSharedKubeconfig(rome);
  const command = isAlone ? ['liqo.mjs', 'virtual-kubelet'] : ['many-kubelets.mjs'];
  const [program = '', ...rest] = command;
  const kubelet = new ProductProcess({
    name: 'virtual-kubelet',
    log: `virtual-kubelet-${first}`,
    command: [...node(rome, 'virtual-kubelet'), join(programs, program), ...rest],
    flags: isAlone ? await kubeletFlags(rome, first) : { nodenames: nodeNames.join() },
    folder: rome.folder,
    kubeconfig,
    checkReady: () => allReady(rome, nodeNames),
  });
  await kubelet.start();
  return kubelet;
}

/** Where a folder for profiles is named, every process of the product leaves one there when it ends. */
function node(cluster: RealCluster, what: string): readonly string[] {
  const folder = process.env.BENCH_PROFILES;
  const flags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? [];
  const name = `${what}-${cluster.name}.cpuprofile`;
  return folder
    ? [
        process.execPath,
        ...flags,
        '--cpu-prof',
        `--cpu-prof-dir=${folder}`,
        `--cpu-prof-name=${name}`,
      ]
    : [process.execPath, ...flags];
}

/** As the Deployment of the virtual kubelet would have them, whose pod runs in name only. */
async function kubeletFlags(
  { client }: RealCluster,
  nodeName: string,
): Promise<Record<string, string>> {
  const namespace = tenantNamespaceName('milan');
  const podIP = await eventually(async () => {
    const labelSelector = `${labels.virtualNode}=${nodeName}`;
    const [pod] = (await client.list(Pod, { namespace, labelSelector })).items;
    if (!pod?.status?.podIP) throw new Error(`The pod of "${nodeName}" has no address`);
    return pod.status.podIP;
  }, patient);
  return {
    'foreign-cluster-id': 'milan',
    'home-cluster-id': 'rome',
    nodename: nodeName,
    'tenant-namespace': tenantNamespaceName('milan'),
    'foreign-kubeconfig-secret-name': `kubeconfig-resourceslice-${nodeName}`,
    'node-ip': podIP,
    'listen-port': String(await freePort()),
    ...loopbackPeers,
  };
}

async function allReady({ client }: RealCluster, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const node = await client.get(Node, { name });
    const ready = isConditionTrue(node?.status?.conditions, 'Ready');
    if (!ready) throw new Error(`Node "${name}" is not ready`);
  }
}

/** For a process that is several virtual kubelets at once: it may do what each of them may, under a name of its own. */
async function writeSharedKubeconfig({ folder, kubeconfigFor }: RealCluster): Promise<string> {
  const path = join(folder, 'kubelets.conf');
  writeFileSync(path, await kubeconfigFor({ name: 'kubelets-rome', groups: ['system:masters'] }));
  return path;
}

/** As a process in a pod has it: a token of the service account, with the rights of its role. */
async function writeKubeconfig(
  cluster: RealCluster,
  namespace: string,
  account: string,
): Promise<string> {
  const { client, server } = cluster;
  const day = 86_400;
  const request = { audiences: [], expirationSeconds: day };
  const { status } = await client.createToken({ namespace, name: account }, request);
  const path = join(cluster.folder, `${account}.conf`);
  const caPem = readFileSync(join(cluster.folder, 'pki/ca.crt'), 'utf8');
  const user = { token: status?.token ?? '' };
  const config = forgeKubeconfig({ name: cluster.name, server, caPem, user });
  writeFileSync(path, printKubeconfig(config));
  return path;
}
