import { annotations, Identity, kubeconfigSecretName, labels } from '@liqo/api';
import type { Secret, Stored } from '@liqo/kube';
import { forgeKubeconfigText } from './forge-kubeconfig.ts';
import { ownerReference } from './owner-reference.ts';

/** The Secret in which an Identity whose AuthParams have been checked becomes usable. `key` is the base64 of the cluster key. */
export function forgeKubeconfigSecret(identity: Stored<Identity>, key: string): Secret {
  const { name, namespace = '', uid } = identity.metadata;
  const { clusterID = '', type = 'ControlPlane', authParams = {} } = identity.spec ?? {};
  const remoteNamespace = type === 'ControlPlane' ? identity.spec?.namespace : undefined;
  const kubeconfig = forgeKubeconfigText({
    provider: clusterID,
    user: name,
    server: authParams.apiServer ?? '',
    proxyUrl: authParams.proxyURL,
    ca: authParams.ca,
    certificate: authParams.signedCRT ?? '',
    key,
    namespace: remoteNamespace,
  });
  return {
    metadata: {
      name: kubeconfigSecretName(name),
      namespace,
      labels: {
        [labels.identityType]: type,
        [labels.managed]: 'true',
        [labels.remoteClusterID]: clusterID,
      },
      ...(remoteNamespace && {
        annotations: { [annotations.remoteTenantNamespace]: remoteNamespace },
      }),
      ownerReferences: [ownerReference(Identity, { name, uid })],
    },
    type: 'Opaque',
    data: { kubeconfig: btoa(kubeconfig) },
  };
}
