import { controlPlaneIdentityName, Identity, labels } from '@liqo/api';
import { apiVersionOf } from '@liqo/kube';

export type AuthParams = NonNullable<NonNullable<Identity['spec']>['authParams']>;

export interface ControlPlaneIdentityParts {
  readonly provider: string;
  /** The tenant namespace of the provider in this cluster. */
  readonly tenantNamespace: string;
  /** The tenant namespace of this cluster at the provider. */
  readonly remoteNamespace: string;
  readonly authParams: AuthParams;
}

/** Of the control plane of this cluster at a provider, from the status of the Tenant over there. */
export function forgeControlPlaneIdentity(parts: ControlPlaneIdentityParts): Identity {
  const { provider, tenantNamespace, remoteNamespace, authParams } = parts;
  return {
    apiVersion: apiVersionOf(Identity),
    kind: Identity.kind,
    metadata: {
      name: controlPlaneIdentityName(provider),
      namespace: tenantNamespace,
      labels: { [labels.remoteClusterID]: provider },
    },
    spec: { clusterID: provider, type: 'ControlPlane', authParams, namespace: remoteNamespace },
  };
}
