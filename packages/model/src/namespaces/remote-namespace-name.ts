import { defaultRemoteNamespaceName, type NamespaceOffloading } from '@liqo/api';
import { checkDnsLabel } from '@liqo/kube';

export type RemoteNamespaceName =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'fault'; readonly reason: string; readonly message: string };

/** What a namespace of the consumer is called at its providers, as its NamespaceOffloading wants it. */
export function remoteNamespaceName(
  namespace: string,
  spec: NamespaceOffloading['spec'],
  consumerClusterID: string,
): RemoteNamespaceName {
  const name = chosenName(namespace, spec, consumerClusterID);
  if (!name) {
    const message =
      'The strategy SelectedName needs a name in spec.remoteNamespaceName, which cannot be added later: ' +
      'delete this NamespaceOffloading and make one that has it';
    return { type: 'fault', reason: 'NoRemoteName', message };
  }
  const faults = checkDnsLabel(name);
  if (faults.length === 0) return { type: 'name', name };
  const message =
    `The name at the providers would be "${name}", which is not a name of a namespace (${faults.join(', ')}): ` +
    'choose another one with the strategy SelectedName';
  return { type: 'fault', reason: 'InvalidRemoteName', message };
}

function chosenName(
  namespace: string,
  spec: NamespaceOffloading['spec'],
  consumerClusterID: string,
): string | undefined {
  switch (spec?.namespaceMappingStrategy) {
    case 'EnforceSameName':
      return namespace;
    case 'SelectedName':
      return spec.remoteNamespaceName;
    default:
      return defaultRemoteNamespaceName(namespace, consumerClusterID);
  }
}
