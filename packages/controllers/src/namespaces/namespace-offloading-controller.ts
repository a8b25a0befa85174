import {
  ForeignCluster,
  fixedNames,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  VirtualNode,
} from '@liqo/api';
import { Namespace, Node, type ObjectKey } from '@liqo/kube';
import { labelsChanged, mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import {
  forPeers,
  ofPeers,
  tenantNamespaces as ofTenants,
  virtualNodesOnly,
} from '../selections.ts';
import { NamespaceOffloadingReconciler } from './reconcile-namespace-offloading.ts';

/** At a consumer: asks the providers for the namespaces that are offloaded, and says how far they are. */
export function startNamespaceOffloadingController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const offloadings = loop.watch(NamespaceOffloading);
  const maps = loop.watch(NamespaceMap, forPeers);
  const virtualNodes = loop.watch(VirtualNode);
  const nodes = loop.watch(Node, virtualNodesOnly);
  const namespaces = loop.watch(Namespace, { labelSelector: labels.schedulingEnabled });
  const peerNamespaces = loop.watch(Namespace, ofPeers);
  const tenantNamespaces = loop.watch(Namespace, ofTenants);
  const peers = loop.watch(ForeignCluster);
  const everyOne = () => offloadings.list().map(({ metadata }) => theOneIn(metadata.namespace));
  const reconciler = new NamespaceOffloadingReconciler({
    ...context,
    offloadings,
    maps,
    virtualNodes,
    nodes,
    namespaces,
    peerNamespaces,
    tenantNamespaces,
    peers,
  });
  return loop.run({
    name: 'namespaceoffloading',
    sources: [
      primary(offloadings),
      mapped(maps, everyOne),
      mapped(virtualNodes, everyOne),
      mapped(nodes, everyOne, labelsChanged),
      mapped(peers, everyOne),
      mapped(tenantNamespaces, everyOne, labelsChanged),
      mapped(namespaces, ({ metadata }) => [theOneIn(metadata.name)]),
      mapped(peerNamespaces, ({ metadata }) => [theOneIn(metadata.name)]),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function theOneIn(namespace: string | undefined): ObjectKey {
  return { namespace, name: fixedNames.namespaceOffloading };
}
