import { join } from 'node:path';
import { Component } from '../component.ts';
import type { Flags } from '../control-plane-flags.ts';
import type { Machine } from '../machine/machine.ts';
import { nodeAddress } from '../network/address-plan.ts';
import { probeApiServer, probeUrl, readApiServer } from '../probe.ts';
import { isNodeReady } from './is-node-ready.ts';
import { nodeEnvironment } from './node-assets.ts';
import type { NodePlan } from './node-plan.ts';
import { nodeFolder } from './write-node-files.ts';

export type NodeComponentName = 'containerd' | 'kube-proxy' | 'kubelet';
export type NodeComponents = ReadonlyMap<NodeComponentName, Component<NodeComponentName>>;

/** The programs of a node, each to be started inside this computer. */
export function forgeNodeComponents(plan: NodePlan, computer: Machine): NodeComponents {
  const { assets, network, nth } = plan;
  const folder = nodeFolder(plan);
  const address = nodeAddress(network.addresses, nth);
  const env = nodeEnvironment(assets);
  const forge = (
    name: NodeComponentName,
    program: string,
    flags: Flags,
    checkReady: () => Promise<void>,
  ) =>
    new Component({
      name,
      command: [...computer.entrance, join(assets, program)],
      flags,
      folder: plan.folder,
      log: `${plan.name}-${name}`,
      env,
      checkReady,
    });
  const components = [
    forge(
      'containerd',
      'nodes/usr/bin/containerd',
      { config: join(folder, 'containerd.toml') },
      async () => {
        await computer.run(['ctr', 'version'], { env });
      },
    ),
    forge('kube-proxy', 'kube-proxy', { config: join(folder, 'kube-proxy.json') }, () =>
      probeUrl(`http://${address}:10256/healthz`),
    ),
    forge('kubelet', 'kubelet', kubeletFlags(plan, address), () =>
      probeKubelet(plan, `https://${address}:10250`),
    ),
  ];
  return new Map(components.map((component) => [component.name, component]));
}

function kubeletFlags(plan: NodePlan, address: string): Flags {
  const folder = nodeFolder(plan);
  return {
    config: join(folder, 'kubelet.json'),
    kubeconfig: join(folder, 'kubelet.conf'),
    'hostname-override': plan.name,
    'node-ip': address,
  };
}

/** What the API server knows may be old, so the kubelet is asked too. */
async function probeKubelet({ access, name }: NodePlan, server: string): Promise<void> {
  await probeApiServer({ ...access, server }, '/healthz');
  const node = await readApiServer(access, `/api/v1/nodes/${name}`);
  if (!isNodeReady(node as object)) throw new Error(`node "${name}" is not ready`);
}
