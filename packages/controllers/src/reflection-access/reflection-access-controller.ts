import { fixedNames, labels, labelValues, NamespaceMap, VirtualNode } from '@liqo/api';
import { ClusterRole, Namespace, type ObjectKey, RoleBinding, type Stored } from '@liqo/kube';
import { mapped, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { forPeers, named } from '../selections.ts';
import { ReflectionAccessReconciler } from './reconcile-reflection-access.ts';

/** The RoleBindings that this controller makes. */
const accessBindings = {
  labelSelector: `${labels.component}=${labelValues.virtualKubelet},${labels.managed}=true,${labels.remoteClusterID}`,
};

/** At a consumer: lets virtual kubelets read Secrets and the like in the namespaces that are offloaded, and nowhere else. */
export function startReflectionAccessController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const namespaces = loop.watch(Namespace);
  const maps = loop.watch(NamespaceMap, forPeers);
  const virtualNodes = loop.watch(VirtualNode);
  const bindings = loop.watch(RoleBinding, accessBindings);
  const customRoles = loop.watch(ClusterRole, named(fixedNames.customReflectionRole));
  const reconciler = new ReflectionAccessReconciler({
    ...context,
    namespaces,
    maps,
    virtualNodes,
    bindings,
    customRoles,
  });
  const keysWhere = (matches: (key: ObjectKey) => boolean) =>
    maps.list().flatMap(keysOfMap).filter(matches);
  return loop.run({
    name: 'reflectionaccess',
    sources: [
      mapped(maps, keysOfMap),
      mapped(bindings, keyOfBinding),
      mapped(customRoles, () => keysWhere(() => true)),
      mapped(namespaces, ({ metadata }) =>
        keysWhere(({ namespace }) => namespace === metadata.name),
      ),
      mapped(virtualNodes, ({ spec }) => keysWhere(({ name }) => name === spec.clusterID)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function keysOfMap({ metadata, spec }: Stored<NamespaceMap>): readonly ObjectKey[] {
  const name = metadata.labels?.[labels.replicationDestination];
  if (!name) return [];
  return Object.keys(spec?.desiredMapping ?? {}).map((namespace) => ({ namespace, name }));
}

function keyOfBinding({ metadata }: Stored<RoleBinding>): readonly ObjectKey[] {
  const name = metadata.labels?.[labels.remoteClusterID];
  return name ? [{ namespace: metadata.namespace, name }] : [];
}
