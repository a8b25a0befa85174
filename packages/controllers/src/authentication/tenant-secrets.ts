import { Namespace, Secret } from '@liqo/kube';
import { type Informer, NamespacedInformers } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { ofPeers, tenantNamespaces } from '../selections.ts';
import { tenancyOf, type WhyMisplaced } from '../tenancy.ts';

/** The tenant namespaces, and the Secrets about peers in them. No other namespace is read. */
export interface TenantSecrets extends AsyncDisposable {
  readonly namespaces: Informer<Namespace>;
  readonly secrets: NamespacedInformers<Secret>;
  readonly whyMisplaced: WhyMisplaced;
}

export function watchTenantSecrets(context: ControllerContext): TenantSecrets {
  const { caches, client, clock, random, log } = context;
  const tenants = caches.borrow(Namespace, tenantNamespaces);
  const namespaces = tenants.informer;
  const shared = { client, clock, random, log, namespaces };
  const secrets = new NamespacedInformers<Secret>({ ...shared, kind: Secret, selection: ofPeers });
  return {
    namespaces,
    secrets,
    whyMisplaced: tenancyOf(namespaces),
    async [Symbol.asyncDispose]() {
      await secrets[Symbol.asyncDispose]();
      await tenants[Symbol.asyncDispose]();
    },
  };
}
