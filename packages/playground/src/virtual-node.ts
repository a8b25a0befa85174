import { labels, tenantNamespaceName, VirtualNode } from '@liqo/api';
import { type Client, type Clock, findCondition, Node } from '@liqo/kube';
import { until } from './until.ts';
import type { WantedNode } from './wish.ts';

interface NodeWork extends WantedNode {
  /** The Secret with a kubeconfig of the provider, in the namespace about it. */
  readonly secret: string;
  readonly clock: Clock;
}

const smallCapacity = { cpu: '2', memory: '4Gi', pods: '110' };

/** Creates the VirtualNode, and waits until its Node is ready. */
export async function createVirtualNode(
  client: Client,
  { clock, ...wanted }: NodeWork,
  signal?: AbortSignal,
): Promise<void> {
  await client.create(VirtualNode, forgeVirtualNode(wanted), signal);
  const look = async () => {
    const node = await client.get(Node, { name: wanted.name }, signal);
    if (!node) return `there is no Node "${wanted.name}"`;
    const ready = findCondition(node.status?.conditions, 'Ready');
    if (ready?.status === 'True') return undefined;
    return `the Node "${wanted.name}" is not Ready: ${ready?.message ?? 'nothing says why'}`;
  };
  await until(clock, look, signal);
}

function forgeVirtualNode(wanted: Omit<NodeWork, 'clock'>): VirtualNode {
  const { name, provider, secret, capacity = smallCapacity } = wanted;
  const marks = { [labels.remoteClusterID]: provider };
  return {
    metadata: { name, namespace: tenantNamespaceName(provider), labels: marks },
    spec: {
      clusterID: provider,
      createNode: true,
      disableNetworkCheck: false,
      kubeconfigSecretRef: { name: secret },
      labels: marks,
      resourceQuota: { hard: { ...capacity } },
    },
  };
}
