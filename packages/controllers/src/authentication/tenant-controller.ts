import { labels, NamespaceMap, ResourceSlice, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  ClusterRoleBinding,
  type KubeObject,
  keyOf,
  type ObjectKey,
  parseKey,
  RoleBinding,
} from '@liqo/kube';
import { certificateSecretOf, tenantRequestSelector } from '@liqo/model';
import { type Informer, mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { bindingsOfPeers, fromPeers } from '../selections.ts';
import { type ApiServerOptions, watchApiServer } from './advertised-api-server.ts';
import type { NonceIssuer } from './issue-nonce.ts';
import { TenantReconciler } from './reconcile-tenant.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

export interface TenantOptions {
  readonly apiServer: ApiServerOptions;
  readonly randomBytes: NonceIssuer['randomBytes'];
}

/** Lets consumers in and out, as their Tenants say. */
export function startTenantController(
  context: ControllerContext,
  { apiServer, randomBytes }: TenantOptions,
  { namespaces, secrets: nonces, bindings: access }: TenantSecrets,
): Stoppable {
  const loop = new ControlLoop(context);
  const advertiser = watchApiServer(loop, context.liqoNamespace, apiServer);
  const tenants = loop.watch(Tenant);
  const slices = loop.watch(ResourceSlice);
  const maps = loop.watch(NamespaceMap, fromPeers);
  const bindings = loop.watch(RoleBinding, bindingsOfPeers);
  const everywhereBindings = loop.watch(ClusterRoleBinding, bindingsOfPeers);
  const requests = loop.watch(CertificateSigningRequest, { labelSelector: tenantRequestSelector });
  const reconciler = new TenantReconciler({
    ...context,
    randomBytes,
    namespaces,
    nonces,
    tenants,
    slices,
    bindings,
    everywhereBindings,
    requests,
    apiServer: advertiser,
  });
  const inNamespace = (name = '') => tenants.list(name).map(keyOf);
  const besides = ({ metadata }: KubeObject) => inNamespace(metadata?.namespace);
  return loop.run({
    name: 'tenant',
    caches: [access],
    concurrency: 4,
    sources: [
      primary(tenants),
      // A Tenant was refused because of an older one.
      mapped(tenants, besides),
      mapped(namespaces, () => tenants.list().map(keyOf)),
      mapped(nonces, besides),
      mapped(slices, besides),
      mapped(maps, besides),
      mapped(bindings, besides),
      mapped(everywhereBindings, (binding) => tenantsOf(binding, tenants)),
      mapped(requests, (request) =>
        inNamespace(parseKey(certificateSecretOf(request) ?? '').namespace),
      ),
      ...advertiser.sources(() => tenants.list().map(keyOf)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** Those of the consumer of a binding. Without any, a key that stands for what a Tenant may have left. */
function tenantsOf({ metadata }: KubeObject, tenants: Informer<Tenant>): readonly ObjectKey[] {
  const consumer = metadata?.labels?.[labels.remoteClusterID] ?? '';
  const found = tenants.list().filter(({ spec }) => spec.clusterID === consumer);
  return found.length > 0 ? found.map(keyOf) : [{ name: consumer }];
}
