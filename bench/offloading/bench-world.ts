import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labels, NamespaceOffloading, tenantNamespaceName, VirtualNode } from '@liqo/api';
import { isConditionTrue, Namespace, Node, Pod, ServiceAccount } from '@liqo/kube';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { createKubeconfig, introduce } from '@liqo/playground';
import { eventually } from '@liqo/testkit';
import { type RealCluster, startRealCluster } from '@liqo/testkit/cluster';
import { bundle } from '../bundle.ts';
import { type AuditedRequest, AuditLog } from './audit-log.ts';
import { freePort } from './free-port.ts';
import { install } from './install.ts';
import { ProductProcess } from './product-process.ts';

export interface WorldNeeds {
  readonly virtualNodes: number;
  /** Several virtual nodes may share a process. */
  readonly kubeletProcesses: 'one each' | 'one for all';
  /** Whether every request is noted down, at the price of speed. */
  readonly audited: boolean;
}

const patient = { timeoutMs: 60_000, intervalMs: 100 };
const root = join(import.meta.dirname, '../..');
const hollowNodes = 4;
/** The stock scheduler binds 50 pods a second and no more: it would be all there is to measure. */
const schedulerFlags = { 'kube-api-qps': '5000', 'kube-api-burst': '5000' };

/** Two real control planes with hollow nodes, the consumer "rome" and the provider "milan", and the product in processes of its own. */
export class BenchWorld implements AsyncDisposable {
  readonly rome: RealCluster;
  readonly milan: RealCluster;
  readonly controllers: { readonly rome: ProductProcess; readonly milan: ProductProcess };
  readonly kubelets: readonly ProductProcess[];
  readonly #audits: readonly AuditLog[];
  readonly #programs: string;
  readonly #used: { readonly cluster: RealCluster; readonly namespace: string }[] = [];
  #namespaces = 0;

  constructor(parts: WorldParts) {
    this.rome = parts.rome;
    this.milan = parts.milan;
    this.controllers = parts.controllers;
    this.kubelets = parts.kubelets;
    this.#audits = parts.audits;
    this.#programs = parts.programs;
  }

  get processes(): readonly ProductProcess[] {
    return [this.controllers.rome, this.controllers.milan, ...this.kubelets];
  }

  /** A namespace that is offloaded, or one of the same name in both clusters that is not. */
  async freshNamespace(how: 'offloaded' | 'apart'): Promise<string> {
    const name = `bench-${++this.#namespaces}`;
    const clusters = how === 'offloaded' ? [this.rome] : [this.rome, this.milan];
    for (const cluster of clusters) this.#used.push({ cluster, namespace: name });
    await Promise.all(clusters.map((cluster) => createNamespace(cluster, name)));
    if (how === 'offloaded') await offload(this.rome, name);
    return name;
  }

  /** Removes all namespaces that were asked for, so that the next one to measure finds the world as it was. */
  async cleanUp(): Promise<void> {
    await Promise.all(this.#used.splice(0).map(removeNamespace));
  }

  /** What the product, and nobody else, has asked of the API servers since this was last asked. */
  takeRequests(): AuditedRequest[] {
    const ours = /^system:serviceaccount:liqo|^rome$|-rome$/;
    return this.#audits.flatMap((audit) => audit.take()).filter(({ user }) => ours.test(user));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.rome[Symbol.asyncDispose]();
    await this.milan[Symbol.asyncDispose]();
    rmSync(this.#programs, { recursive: true, force: true });
  }
}

interface WorldParts {
  readonly rome: RealCluster;
  readonly milan: RealCluster;
  readonly controllers: { readonly rome: ProductProcess; readonly milan: ProductProcess };
  readonly kubelets: readonly ProductProcess[];
  readonly audits: readonly AuditLog[];
  readonly programs: string;
}

export async function startBenchWorld(needs: WorldNeeds): Promise<BenchWorld> {
  const programs = mkdtempSync(join(tmpdir(), 'liqo-bench-'));
  await bundle(
    [
      join(root, 'packages/liqo/bin/liqo.ts'),
      join(root, 'bench/offloading/programs/many-kubelets.ts'),
    ],
    programs,
  );
  const audits = needs.audited ? ['rome', 'milan'].map((name) => new AuditLog(name)) : [];
  const [rome, milan] = await Promise.all([
    startRealCluster({ name: 'rome', hollowNodes, schedulerFlags, ...flagsOf(audits[0]) }),
    startRealCluster({ name: 'milan', hollowNodes, schedulerFlags, ...flagsOf(audits[1]) }),
  ]);
  await Promise.all([rome, milan].map(install));
  const controllers = {
    rome: await startControllers(rome, programs),
    milan: await startControllers(milan, programs),
  };
  await introduceEachOther(rome, milan);
  const names = Array.from({ length: needs.virtualNodes }, (_, i) => `milan-${i + 1}`);
  for (const name of names) await createVirtualNode(rome, milan, name);
  const groups = needs.kubeletProcesses === 'one each' ? names.map((name) => [name]) : [names];
  const kubelets: ProductProcess[] = [];
  for (const group of groups) kubelets.push(await startKubelet(rome, group, programs));
  return new BenchWorld({ rome, milan, controllers, kubelets, audits, programs });
}

function flagsOf(audit: AuditLog | undefined): object {
  return audit ? { apiServerFlags: audit.flags } : {};
}

async function startControllers(cluster: RealCluster, programs: string): Promise<ProductProcess> {
  const kubeconfig = await writeKubeconfig(cluster, 'liqo', 'liqo-controller-manager');
  const process = new ProductProcess({
    name: 'controller-manager',
    command: [
      ...node(cluster, 'controller-manager'),
      join(programs, 'liqo.mjs'),
      'controller-manager',
    ],
    flags: { 'cluster-id': cluster.name, 'health-probe-address': '127.0.0.1:0' },
    folder: cluster.folder,
    kubeconfig,
    checkReady: async () => {},
  });
  await process.start();
  return process;
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

async function startKubelet(
  rome: RealCluster,
  nodeNames: readonly string[],
  programs: string,
): Promise<ProductProcess> {
  const [first = ''] = nodeNames;
  const namespace = tenantNamespaceName('milan');
  const isAlone = nodeNames.length === 1;
  const kubeconfig = isAlone ? await writeKubeconfig(rome, namespace, first) : rome.kubeconfig;
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
  };
}

async function allReady({ client }: RealCluster, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const node = await client.get(Node, { name });
    const ready = isConditionTrue(node?.status?.conditions, 'Ready');
    if (!ready) throw new Error(`Node "${name}" is not ready`);
  }
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

async function introduceEachOther(rome: RealCluster, milan: RealCluster): Promise<void> {
  await introduce(directly(rome), directly(milan));
}

/** Both are on loopback: there is no way between them but the straight one. */
function directly(cluster: RealCluster): DirectCluster {
  return { ...cluster, kubeconfigFor: (user) => cluster.kubeconfigFor(user) };
}

interface DirectCluster extends Omit<RealCluster, 'kubeconfigFor'> {
  kubeconfigFor(user: { name: string; groups: string[] }): Promise<string>;
}

async function createVirtualNode(
  rome: RealCluster,
  milan: RealCluster,
  name: string,
): Promise<void> {
  const secret = `kubeconfig-resourceslice-${name}`;
  await createKubeconfig(directly(rome), directly(milan), { name: secret, user: `${name}-rome` });
  const marks = { [labels.remoteClusterID]: 'milan' };
  await rome.client.create(VirtualNode, {
    metadata: { name, namespace: tenantNamespaceName('milan'), labels: marks },
    spec: {
      clusterID: 'milan',
      createNode: true,
      disableNetworkCheck: false,
      kubeconfigSecretRef: { name: secret },
      labels: marks,
      resourceQuota: { hard: { cpu: '10000', memory: '100Ti', pods: '100000' } },
    },
  });
  await eventually(async () => {
    const key = { namespace: tenantNamespaceName('milan'), name };
    if (!(await rome.client.get(ServiceAccount, key))) throw new Error(`No account "${name}"`);
  }, patient);
}

async function createNamespace({ client }: RealCluster, name: string): Promise<void> {
  await client.create(Namespace, { metadata: { name } });
  await eventually(async () => {
    const account = await client.get(ServiceAccount, { namespace: name, name: 'default' });
    if (!account) throw new Error(`Namespace "${name}" has no service account`);
  }, patient);
}

async function offload({ client }: RealCluster, namespace: string): Promise<void> {
  const metadata = { name: 'offloading', namespace };
  const spec = {
    podOffloadingStrategy: 'Remote',
    namespaceMappingStrategy: 'DefaultName',
  } as const;
  await client.create(NamespaceOffloading, { metadata, spec });
  await eventually(async () => {
    const { status } = (await client.get(NamespaceOffloading, metadata)) ?? {};
    if (status?.offloadingPhase !== 'Ready') {
      throw new Error(`Namespace "${namespace}" is not offloaded: ${status?.offloadingPhase}`);
    }
  }, patient);
}

async function removeNamespace(used: {
  readonly cluster: RealCluster;
  readonly namespace: string;
}): Promise<void> {
  const { client } = used.cluster;
  const { namespace } = used;
  const offloading = await client.get(NamespaceOffloading, { namespace, name: 'offloading' });
  if (offloading) await client.delete(NamespaceOffloading, { namespace, name: 'offloading' });
  await client.delete(Namespace, { name: namespace });
  await eventually(async () => {
    const left = await client.get(Namespace, { name: namespace });
    if (left) throw new Error(`Namespace "${namespace}" is still there`);
  }, patient);
}
