import { Namespace, type RoleBinding } from '@liqo/kube';
import type { Informer } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { tenantNamespaces } from '../selections.ts';
import { tenancyOf, type WhyMisplaced } from '../tenancy.ts';
import {
  borrowTenantSecrets,
  type TenantSecrets as Secrets,
} from '../tenant-access/tenant-secrets.ts';

/** The tenant namespaces, and the Secrets in them. No other namespace is read. */
export interface TenantSecrets extends AsyncDisposable {
  readonly namespaces: Informer<Namespace>;
  readonly secrets: Secrets;
  readonly bindings: Informer<RoleBinding>;
  readonly whyMisplaced: WhyMisplaced;
}

export function watchTenantSecrets(context: ControllerContext): TenantSecrets {
  const tenants = context.caches.borrow(Namespace, tenantNamespaces);
  const borrowed = borrowTenantSecrets(context);
  return {
    namespaces: tenants.informer,
    secrets: borrowed.secrets,
    bindings: borrowed.bindings,
    whyMisplaced: tenancyOf(tenants.informer),
    async [Symbol.asyncDispose]() {
      await borrowed[Symbol.asyncDispose]();
      await tenants[Symbol.asyncDispose]();
    },
  };
}
