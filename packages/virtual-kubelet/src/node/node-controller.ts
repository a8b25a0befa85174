import { ForeignCluster } from '@liqo/api';
import { Node } from '@liqo/kube';
import type { NodeExtras } from '@liqo/model';
import {
  external,
  inOrder,
  mapped,
  primary,
  type Stoppable,
  startController,
  startInformer,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from '../provider/provider-link.ts';
import { NodeReconciler } from './reconcile-node.ts';

export interface NodeOptions {
  /** Where the kubelet's endpoints are. */
  readonly address: string;
  readonly kubeletPort: number;
  readonly extras: NodeExtras;
  /** Whether the node needs the network between the clusters to be ready. */
  readonly checkNetwork: boolean;
}

export interface NodeController extends Stoppable {
  /** Something that is not an object has changed. */
  lookAgain(): void;
}

/** Makes the Node of a VirtualNode, keeps it as wanted, and says how it is. */
export function startNodeController(
  context: KubeletContext,
  link: ProviderLink,
  options: NodeOptions,
): NodeController {
  const { local: client, virtualNode, providerClusterID, clock, random, log, metrics } = context;
  const { name } = virtualNode;
  const shared = { client, clock, random, log };
  const nodes = startInformer({
    ...shared,
    kind: Node,
    selection: { fieldSelector: `metadata.name=${name}` },
  });
  const peers = startInformer({
    ...shared,
    kind: ForeignCluster,
    selection: { fieldSelector: `metadata.name=${providerClusterID}` },
  });
  const nudges = external();
  const reconciler = new NodeReconciler({ context, link, nodes, peers, ...options });
  const itself = () => [{ name }];
  const controller = startController({
    name: 'node',
    clock,
    random,
    log,
    ...(metrics && { metrics }),
    sources: [primary(nodes), mapped(link.virtualNodes, itself), mapped(peers, itself), nudges],
    reconcile: (_key, run) => reconciler.reconcile(run),
  });
  return {
    ...inOrder([controller, nodes, peers]),
    lookAgain: () => nudges.enqueue({ name }),
  };
}
