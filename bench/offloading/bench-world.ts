import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labels, NamespaceOffloading, tenantNamespaceName, VirtualNode } from '@liqo/api';
import { Namespace, ServiceAccount } from '@liqo/kube';
import { createKubeconfig, startWorld, type World } from '@liqo/playground';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { bundle } from '../bundle.ts';
import { type AuditedRequest, AuditLog } from './audit-log.ts';
import { benchKubernetes } from './bench-kubernetes.ts';
import { Newcomer } from './newcomer.ts';
import type { ProductProcess } from './product-process.ts';
import { startKubelet } from './start-product.ts';

export interface WorldNeeds {
  readonly virtualNodes: number;
  /** Several virtual nodes may share a process. */
  readonly kubeletProcesses: 'one each' | 'one for all';
  /** Whether every request is noted down, at the price of speed. */
  readonly audited: boolean;
}

const patient = { timeoutMs: 60_000, intervalMs: 100 };
/** Kubernetes asks for every kind of thing in every one of them, and a hundred go at once. */
const veryPatient = { timeoutMs: 600_000, intervalMs: 500 };
const root = join(import.meta.dirname, '../..');

/** Two real control planes with hollow nodes, the consumer "rome" and the provider "milan", and the product in processes of its own. */
export class BenchWorld implements AsyncDisposable {
  readonly rome: RealCluster;
  readonly milan: RealCluster;
  readonly controllers: { readonly rome: ProductProcess; readonly milan: ProductProcess };
  readonly kubelets: readonly ProductProcess[];
  readonly #world: World<RealCluster>;
  readonly #audits: readonly AuditLog[];
  readonly #programs: string;
  readonly #used: { readonly cluster: RealCluster; readonly namespace: string }[] = [];
  #namespaces = 0;

  constructor(parts: WorldParts) {
    this.#world = parts.world;
    this.rome = parts.world.cluster('rome');
    this.milan = parts.world.cluster('milan');
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

  /** Somebody who comes to the consumer with an application. */
  newcomer(): Promise<Newcomer> {
    return Newcomer.to(this.rome, this.#programs);
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
    await this.#world[Symbol.asyncDispose]();
    rmSync(this.#programs, { recursive: true, force: true });
  }
}

interface WorldParts {
  readonly world: World<RealCluster>;
  readonly controllers: { readonly rome: ProductProcess; readonly milan: ProductProcess };
  readonly kubelets: readonly ProductProcess[];
  readonly audits: readonly AuditLog[];
  readonly programs: string;
}

export async function startBenchWorld(needs: WorldNeeds): Promise<BenchWorld> {
  const programs = mkdtempSync(join(tmpdir(), 'liqo-bench-'));
  // Whoever is stopped on the way leaves nothing behind; clusters see to that themselves.
  process.once('exit', () => rmSync(programs, { recursive: true, force: true }));
  await bundle(
    [
      join(root, 'packages/liqo/bin/liqo.ts'),
      join(root, 'bench/offloading/programs/many-kubelets.ts'),
      join(root, 'bench/offloading/programs/newcomer.ts'),
    ],
    programs,
  );
  const audits = new Map(
    needs.audited ? ['rome', 'milan'].map((name) => [name, new AuditLog(name)]) : [],
  );
  const kubernetes = benchKubernetes({ programs, audits });
  const world = await startWorld({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    byHand: true,
  });
  const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  const names = Array.from({ length: needs.virtualNodes }, (_, i) => `milan-${i + 1}`);
  for (const name of names) await createVirtualNode(rome, milan, name);
  const groups = needs.kubeletProcesses === 'one each' ? names.map((name) => [name]) : [names];
  const kubelets: ProductProcess[] = [];
  for (const group of groups) kubelets.push(await startKubelet(rome, group, programs));
  const controllers = {
    rome: kubernetes.controllersOf('rome'),
    milan: kubernetes.controllersOf('milan'),
  };
  return new BenchWorld({ world, controllers, kubelets, audits: [...audits.values()], programs });
}

async function createVirtualNode(
  rome: RealCluster,
  milan: RealCluster,
  name: string,
): Promise<void> {
  const secret = `kubeconfig-resourceslice-${name}`;
  await createKubeconfig(rome, milan, { name: secret, user: `${name}-rome` });
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
  }, veryPatient);
}
