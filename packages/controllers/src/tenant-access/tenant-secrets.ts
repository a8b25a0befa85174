import { fixedNames } from '@liqo/api';
import { Namespace, RoleBinding, Secret, type Stored } from '@liqo/kube';
import { forgeTenantAccess, grantsTenantAccess } from '@liqo/model';
import { type Informer, NamespacedInformers } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { isPeerSecret, peerOf } from '../replication/peer-kubeconfig.ts';
import { tenantNamespaces } from '../selections.ts';

/** All Secrets of the tenant namespaces that the controllers may read. `peer`: credentials of a control plane, by peer. */
export type TenantSecrets = NamespacedInformers<Secret, 'peer'>;

/** The RoleBindings that grant the controllers their rights, one in each tenant namespace. */
export const tenantBindings = {
  fieldSelector: `metadata.name=${fixedNames.controllerManagerTenantRole}`,
};

export interface BorrowedSecrets extends AsyncDisposable {
  readonly secrets: TenantSecrets;
  /** What decides where Secrets are read: complete before `secrets` is of use. */
  readonly bindings: Informer<RoleBinding>;
}

/** A cache that all controllers share. It reads no namespace before the RoleBinding is there: no request is forbidden. */
export function borrowTenantSecrets(context: ControllerContext): BorrowedSecrets {
  const { caches } = context;
  const { value, ...share } = caches.share('tenant-secrets', () => startTenantSecrets(context));
  return { secrets: value.secrets, bindings: value.bindings, ...share };
}

function startTenantSecrets(context: ControllerContext): BorrowedSecrets {
  const { caches, client, clock, random, log, liqoNamespace } = context;
  const namespaces = caches.borrow(Namespace, tenantNamespaces);
  const borrowed = caches.borrow(RoleBinding, tenantBindings);
  const bindings = borrowed.informer;
  const isReadable = ({ metadata: { name } }: Stored<Namespace>) => {
    if (!bindings.hasSynced) return false;
    const wanted = forgeTenantAccess(name, liqoNamespace);
    const key = { namespace: name, name: fixedNames.controllerManagerTenantRole };
    return grantsTenantAccess(wanted, bindings.get(key));
  };
  const secrets = new NamespacedInformers<Secret, 'peer'>({
    client,
    clock,
    random,
    log,
    kind: Secret,
    namespaces: namespaces.informer,
    isReadable,
    indexes: { peer: (secret) => (isPeerSecret(secret) ? [peerOf(secret)] : []) },
  });
  const recheck = ({ metadata }: Stored<RoleBinding>) => secrets.recheck(metadata.namespace ?? '');
  const subscription = bindings.subscribe({
    onAdd: recheck,
    onUpdate: recheck,
    onDelete: recheck,
  });
  return {
    secrets,
    bindings,
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]();
      await secrets[Symbol.asyncDispose]();
      await Promise.all([namespaces[Symbol.asyncDispose](), borrowed[Symbol.asyncDispose]()]);
    },
  };
}
