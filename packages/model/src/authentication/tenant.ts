import { labels, Tenant } from '@liqo/api';

/** What a consumer shows to a provider. All fields but the cluster ID and the URL are base64, as bytes are in JSON. */
export interface TenantRequest {
  readonly consumerClusterID: string;
  /** PEM, PKIX. */
  readonly publicKey: string;
  /** PEM, signed with the key. */
  readonly csr: string;
  /** Of the text of the nonce. */
  readonly signature: string;
  /** The HTTP CONNECT proxy on the way to the API server of the provider. */
  readonly proxyURL?: string;
}

/** The Tenant as a consumer hands it over. Without a namespace it goes where the provider's administrator applies it. */
export function forgeTenant(request: TenantRequest, tenantNamespace?: string): Tenant {
  const { consumerClusterID, publicKey, csr, signature, proxyURL } = request;
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: Tenant.kind,
    metadata: {
      name: consumerClusterID,
      ...(tenantNamespace !== undefined && { namespace: tenantNamespace }),
      labels: { [labels.remoteClusterID]: consumerClusterID },
    },
    spec: {
      clusterID: consumerClusterID,
      authzPolicy: 'KeysExchange',
      tenantCondition: 'Active',
      publicKey,
      csr,
      signature,
      ...(proxyURL !== undefined && { proxyURL }),
    },
  };
}
