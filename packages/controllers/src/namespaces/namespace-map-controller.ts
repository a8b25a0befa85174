import { annotations, fixedNames, NamespaceMap } from '@liqo/api';
import {
  ClusterRole,
  type KubeObject,
  keyOf,
  Namespace,
  type ObjectKey,
  parseKey,
  RoleBinding,
} from '@liqo/kube';
import {
  anyNamespaceName,
  defaultTenantLimits,
  type PodSecurityLevel,
  type TenantLimits,
} from '@liqo/model';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { bindingsOfPeers, fromPeers, named, ofPeers } from '../selections.ts';
import { tenantOf } from '../tenant-of.ts';
import { NamespaceMapReconciler } from './reconcile-namespace-map.ts';

export interface NamespaceMapOptions {
  /** For namespaces that are made from now on. */
  readonly podSecurity: PodSecurityLevel;
  readonly tenantLimits?: TenantLimits;
  readonly namespacePatterns?: readonly string[];
}

/** At a provider: makes, keeps and removes the namespaces that consumers want here. */
export function startNamespaceMapController(
  context: ControllerContext,
  options: NamespaceMapOptions,
): Stoppable {
  const {
    podSecurity,
    tenantLimits = defaultTenantLimits,
    namespacePatterns = anyNamespaceName,
  } = options;
  const loop = new ControlLoop(context);
  const maps = loop.watch(NamespaceMap, fromPeers);
  const namespaces = loop.watch(Namespace, ofPeers);
  const bindings = loop.watch(RoleBinding, bindingsOfPeers);
  const customRoles = loop.watch(ClusterRole, named(fixedNames.customRemoteRole));
  const reconciler = new NamespaceMapReconciler({
    ...context,
    podSecurity,
    tenantLimits,
    namespacePatterns,
    maps,
    namespaces,
    bindings,
    customRoles,
  });
  return loop.run({
    name: 'namespacemap',
    concurrency: 4,
    // One turn at a time: all maps of a consumer count towards the same limit.
    concurrencyPerFlow: 1,
    flowOf: tenantOf(namespaces),
    sources: [
      primary(maps),
      mapped(namespaces, (namespace) => [
        ...mapOf(namespace),
        ...maps.list(namespace.metadata.name).map(keyOf),
      ]),
      mapped(bindings, mapOf),
      mapped(customRoles, () => maps.list().map(keyOf)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** The NamespaceMap that an object was made for. */
function mapOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const key = metadata?.annotations?.[annotations.managedByNamespaceMap];
  return key === undefined ? [] : [parseKey(key)];
}
