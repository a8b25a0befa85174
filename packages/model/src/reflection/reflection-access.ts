import { fixedNames, labels, labelValues, type NamespaceMap, type VirtualNode } from '@liqo/api';
import type { ClusterRole, Namespace, RoleBinding, Stored } from '@liqo/kube';
import { whyNotOffloadable } from '../namespaces/reserved-namespaces.ts';

const role = 'liqo-virtual-kubelet-reflection';

/** What decides about the rights of the virtual kubelets of one provider in one namespace of the consumer. */
export interface ReflectionAccessFacts {
  readonly providerClusterID: string;
  readonly liqoNamespace: string;
  readonly namespace: Stored<Namespace> | undefined;
  /** Of the provider, as this cluster has written them. */
  readonly maps: readonly Stored<NamespaceMap>[];
  /** Of the provider. */
  readonly virtualNodes: readonly Stored<VirtualNode>[];
}

/**
 * The RoleBinding with which the virtual kubelets of a provider read what they reflect; undefined in a namespace that is not
 * offloaded to the provider. Namespaces of Kubernetes, of Liqo and of peers are never opened to them.
 */
export function forgeReflectionAccess(facts: ReflectionAccessFacts): RoleBinding | undefined {
  const { providerClusterID, liqoNamespace, namespace, maps, virtualNodes } = facts;
  if (!namespace || namespace.metadata.deletionTimestamp !== undefined) return undefined;
  const { name, labels: marks } = namespace.metadata;
  if (whyNotOffloadable({ name, labels: marks }, liqoNamespace)) return undefined;
  if (!maps.some(({ spec }) => Object.hasOwn(spec?.desiredMapping ?? {}, name))) return undefined;
  const subjects = virtualNodes
    .map(({ metadata }) => ({
      kind: 'ServiceAccount',
      name: metadata.name,
      namespace: metadata.namespace ?? '',
    }))
    .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
  if (subjects.length === 0) return undefined;
  return {
    metadata: {
      name: reflectionAccessName(providerClusterID),
      namespace: name,
      labels: {
        [labels.managed]: 'true',
        [labels.component]: labelValues.virtualKubelet,
        [labels.remoteClusterID]: providerClusterID,
      },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects,
  };
}

/** The same for custom resources, if an administrator has created the ClusterRole that names them. */
export function forgeCustomReflectionAccess(
  facts: ReflectionAccessFacts,
  customRole: ClusterRole | undefined,
): RoleBinding | undefined {
  const access = forgeReflectionAccess(facts);
  if (!access || !grantsAnything(customRole)) return undefined;
  const name = customReflectionAccessName(facts.providerClusterID);
  return {
    ...access,
    metadata: { ...access.metadata, name },
    roleRef: { ...access.roleRef, name: fixedNames.customReflectionRole },
  };
}

export function grantsAnything(role: ClusterRole | undefined): role is ClusterRole {
  return (role?.rules ?? []).length > 0;
}

export function customReflectionAccessName(providerClusterID: string): string {
  return `${fixedNames.customReflectionRole}-${providerClusterID}`;
}

export function reflectionAccessName(providerClusterID: string): string {
  return `${role}-${providerClusterID}`;
}
