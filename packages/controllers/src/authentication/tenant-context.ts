import type { ResourceSlice, Tenant } from '@liqo/api';
import type { ClusterRoleBinding, Namespace, RoleBinding, Secret } from '@liqo/kube';
import type { CachedReader, EventRecorder, Informer } from '@liqo/runtime';
import type { ApiServerAdvertiser } from './advertised-api-server.ts';
import type { IssuerContext } from './issue-certificate.ts';
import type { NonceIssuer } from './issue-nonce.ts';

/** What is needed to let consumers in, and to let them out. */
export interface TenantContext extends IssuerContext, NonceIssuer {
  readonly clusterID: string;
  readonly events: EventRecorder;
  readonly tenants: Informer<Tenant>;
  /** The tenant namespaces. */
  readonly namespaces: CachedReader<Namespace>;
  /** Secrets for nonces, in tenant namespaces. */
  readonly nonces: CachedReader<Secret>;
  readonly slices: CachedReader<ResourceSlice>;
  readonly bindings: Informer<RoleBinding>;
  readonly everywhereBindings: Informer<ClusterRoleBinding>;
  readonly apiServer: Pick<ApiServerAdvertiser, 'read'>;
}
