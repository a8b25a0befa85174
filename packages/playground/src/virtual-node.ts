import { labels, ResourceSlice, tenantNamespaceName, VirtualNode } from '@liqo/api';
import { type Client, type Clock, findCondition, Node } from '@liqo/kube';
import { until } from './until.ts';

interface NodeWork {
  readonly name: string;
  readonly provider: string;
  /** The Secret with a kubeconfig of the provider, in the namespace about it. */
  readonly secret: string;
  readonly capacity: Readonly<Record<string, string>>;
}

export async function createVirtualNode(
  client: Client,
  { name, provider, secret, capacity }: NodeWork,
  signal?: AbortSignal,
): Promise<void> {
  const marks = { [labels.remoteClusterID]: provider };
  const virtualNode: VirtualNode = {
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
  await client.create(VirtualNode, virtualNode, signal);
}

export async function waitForNode(
  client: Client,
  { name, clock }: { readonly name: string; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<void> {
  const look = async () => {
    const node = await client.get(Node, { name }, signal);
    if (!node) return `there is no Node "${name}"`;
    const ready = findCondition(node.status?.conditions, 'Ready');
    if (ready?.status === 'True') return undefined;
    return `the Node "${name}" is not Ready: ${ready?.message ?? 'nothing says why'}`;
  };
  await until(clock, look, signal);
}

/** What the provider has granted to a slice of the consumer. */
export async function readGrant(
  client: Client,
  { name, provider }: { readonly name: string; readonly provider: string },
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const key = { namespace: tenantNamespaceName(provider), name };
  const slice = await client.get(ResourceSlice, key, signal);
  const granted = slice?.status?.resources;
  if (granted) {
    return Object.fromEntries(
      Object.entries(granted).map(([resource, amount]) => [resource, String(amount)]),
    );
  }
  throw new Error(`Cannot share the slice "${name}": "${provider}" has granted none of that name`);
}
