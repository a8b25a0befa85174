import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import type { CertificateAuthority } from './certificate-authority.ts';
import { forgeClusterKubeconfig } from './cluster-kubeconfig.ts';
import type { ComponentName } from './component.ts';
import type { ControlPlane } from './control-plane.ts';
import { apiServerAlias } from './network/address-plan.ts';
import type { ClusterNetwork } from './network/cluster-network.ts';
import type { RealNode } from './node/real-node.ts';
import type { RealCluster } from './real-cluster.ts';
import type { Reaper } from './reaper.ts';
import { apiServerPort } from './site.ts';

export interface RunningCluster {
  readonly name: string;
  readonly assets: string;
  readonly reaper: Reaper;
  readonly ca: CertificateAuthority;
  readonly plane: ControlPlane;
  readonly nodes: readonly RealNode[];
  readonly network: ClusterNetwork | undefined;
}

/** What a test sees of a cluster. */
export async function presentCluster(cluster: RunningCluster): Promise<RealCluster> {
  const { name, assets, reaper, plane, nodes, network } = cluster;
  const config = forgeClusterKubeconfig(name, plane.access);
  const kubeconfig = join(reaper.folder, 'kubeconfig');
  writeFileSync(kubeconfig, printKubeconfig(config));
  const client = await connectKubeconfig(config, {
    clock: systemClock,
    random: systemRandom,
    fieldManager: 'testkit',
  });
  const component = (wanted: ComponentName) => findComponent(cluster, wanted);
  return {
    name,
    server: plane.access.server,
    kubeconfig,
    kubeconfigText: printKubeconfig(config),
    client,
    folder: reaper.folder,
    assets,
    network,
    nodes,
    node: (wanted) => findNode(cluster, wanted),
    loadImage: async (archivePath) => {
      await Promise.all(nodes.map((node) => node.loadImage(archivePath)));
    },
    component,
    kubeconfigFor: async (user, from) => {
      const identity = await cluster.ca.issueClient(user);
      const server = from ? serverFrom(cluster, from) : plane.access.server;
      return printKubeconfig(forgeClusterKubeconfig(name, { ...plane.access, server, identity }));
    },
    serverFrom: (from) => serverFrom(cluster, from),
    restartApiServer: async () => {
      await component('kube-apiserver').stop();
      await component('kube-apiserver').start();
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await client[Symbol.asyncDispose]();
      } finally {
        await reaper[Symbol.asyncDispose]();
      }
    },
  };
}

function serverFrom({ name, network }: RunningCluster, from: RealCluster): string {
  if (!network || !from.network || !network.neighbours.has(from.network))
    throw new Error(
      `Cannot reach cluster "${name}" from cluster "${from.name}": there is no link between them`,
    );
  const address = apiServerAlias(network.addresses, from.network.addresses);
  return `https://${address}:${apiServerPort}`;
}

function findComponent({ name, plane }: RunningCluster, wanted: ComponentName) {
  const found = plane.components.get(wanted);
  if (found) return found;
  throw new Error(`Cannot find ${wanted}: cluster "${name}" was started without it`);
}

function findNode({ name, nodes }: RunningCluster, wanted: string): RealNode {
  const found = nodes.find((node) => node.name === wanted);
  if (found) return found;
  const names = nodes.map((node) => `"${node.name}"`).join(', ');
  throw new Error(`Cannot find node "${wanted}": cluster "${name}" has ${names || 'no nodes'}`);
}
