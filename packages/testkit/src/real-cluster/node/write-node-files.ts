import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { printKubeconfig } from '@liqo/kube/node';
import type { User } from '../certificate-authority.ts';
import { forgeClusterKubeconfig } from '../cluster-kubeconfig.ts';
import { nodeAddress, nodePods } from '../network/address-plan.ts';
import { cniConfig } from './cni-config.ts';
import { containerdConfig } from './containerd-config.ts';
import { kubeProxyConfig } from './kube-proxy-config.ts';
import { kubeletConfig } from './kubelet-config.ts';
import { cniPlugins } from './node-assets.ts';
import type { NodePlan } from './node-plan.ts';

/** Everything that the programs of a node read. */
export function nodeFolder({ folder, name }: Pick<NodePlan, 'folder' | 'name'>): string {
  return join(folder, 'nodes', name);
}

/** The control group of everything in the node's pods, below that of the cluster. */
export function nodeCgroup({ folder, name }: Pick<NodePlan, 'folder' | 'name'>): string {
  return `/${basename(folder)}/${name}`;
}

export async function writeNodeFiles(plan: NodePlan): Promise<void> {
  const folder = nodeFolder(plan);
  mkdirSync(join(folder, 'cni'), { recursive: true });
  writeRuntimeFiles(plan, folder);
  await writeKubeletFiles(plan, folder);
  await writeKubeProxyFiles(plan, folder);
}

function writeRuntimeFiles(plan: NodePlan, folder: string): void {
  const { assets, sandboxImage, network, nth } = plan;
  const containerd = containerdConfig({
    sandboxImage,
    cniPlugins: cniPlugins(assets),
    cniConfig: join(folder, 'cni'),
    runc: join(assets, 'nodes/usr/sbin/runc'),
  });
  writeFileSync(join(folder, 'containerd.toml'), containerd);
  const pods = nodePods(network.addresses, nth);
  writeFileSync(join(folder, 'cni/10-pods.conflist'), cniConfig({ pods }));
}

async function writeKubeletFiles(plan: NodePlan, folder: string): Promise<void> {
  const { name, network, nth, ca } = plan;
  const address = nodeAddress(network.addresses, nth);
  const user = { name: `system:node:${name}`, groups: ['system:nodes'] };
  await writeKubeconfig(plan, user, 'kubelet.conf');
  const serving = await ca.issueServer(user.name, [name, address]);
  writeFileSync(join(folder, 'kubelet.crt'), serving.certificate);
  writeFileSync(join(folder, 'kubelet.key'), serving.privateKey);
  // Nobody answers for names yet, and those of this machine are not for pods.
  writeFileSync(join(folder, 'resolv.conf'), '');
  const config = kubeletConfig({
    address,
    cgroupRoot: nodeCgroup(plan),
    clientCa: join(plan.folder, 'pki/ca.crt'),
    servingCertificate: join(folder, 'kubelet.crt'),
    servingKey: join(folder, 'kubelet.key'),
    resolvConf: join(folder, 'resolv.conf'),
  });
  writeFileSync(join(folder, 'kubelet.json'), JSON.stringify({ ...config, ...plan.kubeletConfig }));
}

async function writeKubeProxyFiles(plan: NodePlan, folder: string): Promise<void> {
  await writeKubeconfig(plan, { name: 'system:kube-proxy', groups: [] }, 'kube-proxy.conf');
  const config = kubeProxyConfig({
    kubeconfig: join(folder, 'kube-proxy.conf'),
    nodeName: plan.name,
    clusterPods: plan.network.addresses.pods,
  });
  writeFileSync(join(folder, 'kube-proxy.json'), JSON.stringify(config));
}

async function writeKubeconfig(plan: NodePlan, user: User, file: string): Promise<void> {
  const identity = await plan.ca.issueClient(user);
  const text = printKubeconfig(forgeClusterKubeconfig(plan.name, { ...plan.access, identity }));
  writeFileSync(join(nodeFolder(plan), file), text);
}
