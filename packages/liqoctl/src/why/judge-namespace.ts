import { labels, type NamespaceOffloading } from '@liqo/api';
import { findCondition, type Namespace, type Stored } from '@liqo/kube';
import { type Break, broken } from './chain.ts';

interface NamespaceFacts {
  readonly namespace: Stored<Namespace>;
  readonly offloading: Stored<NamespaceOffloading> | undefined;
  /** The provider of the node that the pod is on; any provider otherwise. */
  readonly providerID?: string | undefined;
}

/** Why the pods of a namespace cannot run at a provider. */
export function judgeNamespace(facts: NamespaceFacts): Break | undefined {
  const { namespace, offloading } = facts;
  const { name } = namespace.metadata;
  if (namespace.metadata.deletionTimestamp !== undefined) {
    const describe = `kubectl describe namespace ${name}`;
    return broken('NamespaceTerminating', 'the namespace is being deleted', describe);
  }
  if (offloading) return judgeOffloading(facts, offloading);
  if (namespace.metadata.labels?.[labels.enabled] === 'true') return undefined;
  return broken(
    'NamespaceNotOffloaded',
    'it has no NamespaceOffloading',
    `liqoctl offload namespace ${name}`,
  );
}

function judgeOffloading(
  { namespace, providerID }: NamespaceFacts,
  { metadata, spec, status }: Stored<NamespaceOffloading>,
): Break | undefined {
  const { name } = namespace.metadata;
  const offload = `liqoctl offload namespace ${name}`;
  if (metadata.deletionTimestamp !== undefined) {
    const evidence = 'its offloading is being ended: the NamespaceOffloading is being deleted';
    return broken('OffloadingTerminating', evidence, offload, { isPending: true });
  }
  if (spec?.podOffloadingStrategy === 'Local') {
    const evidence = 'podOffloadingStrategy is "Local", which keeps its pods in this cluster';
    const command = `${offload} --pod-offloading-strategy LocalAndRemote`;
    return broken('OffloadingLocal', evidence, command);
  }
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    const evidence = 'the controllers have not processed its NamespaceOffloading yet';
    const command = 'kubectl get pods -n liqo';
    return broken('OffloadingNotObserved', evidence, command, { isPending: true });
  }
  if (status?.offloadingPhase === 'NoClusterSelected') {
    const evidence = 'the cluster selector of its NamespaceOffloading selects no virtual node';
    const command = 'kubectl get nodes -l liqo.io/type=virtual-node --show-labels';
    return broken('NoClusterSelected', evidence, command, { mayFollow: true });
  }
  return judgeRemoteNamespaces(name, status, providerID);
}

function judgeRemoteNamespaces(
  name: string,
  status: NamespaceOffloading['status'],
  providerID: string | undefined,
): Break | undefined {
  const all = Object.entries(status?.remoteNamespacesConditions ?? {});
  const entries = providerID === undefined ? all : all.filter(([id]) => id === providerID);
  const offload = `liqoctl offload namespace ${name}`;
  const problems = entries.flatMap(([clusterID, conditions]) => {
    if (findCondition(conditions, 'OffloadingRequired')?.status === 'False') {
      const evidence = `its cluster selector does not select the provider "${clusterID}"`;
      return [broken('ClusterNotSelected', evidence, offload)];
    }
    const ready = findCondition(conditions, 'Ready');
    if (ready?.status === 'True') return [undefined];
    const { reason = 'RemoteNamespaceNotReady', message = 'it does not say why' } = ready ?? {};
    const evidence = `the provider "${clusterID}" does not have it: ${message}`;
    const isCreating = reason === 'Creating';
    const command = `kubectl describe namespaceoffloading offloading -n ${name}`;
    return [broken(reason, evidence, command, { isPending: isCreating, mayFollow: isCreating })];
  });
  // One provider that has the namespace is enough for a pod that is not bound to another.
  return problems.includes(undefined) ? undefined : problems[0];
}
