import { keyOf, type Namespace, type ObjectKey, type Stored } from '@liqo/kube';
import { peerOfTenantNamespace } from '@liqo/model';
import { type CachedReader, mapped, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { NonceIssuer } from './issue-nonce.ts';
import { NonceReconciler } from './reconcile-nonce.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

/** Fills the Secrets from which administrators of consumers take the nonce that their cluster signs. */
export function startNonceController(
  context: ControllerContext,
  randomBytes: NonceIssuer['randomBytes'],
  { namespaces, secrets: nonces, bindings }: TenantSecrets,
): Stoppable {
  const reconciler = new NonceReconciler({ ...context, randomBytes, namespaces, nonces });
  return new ControlLoop(context).run({
    name: 'nonce',
    caches: [bindings],
    sources: [
      mapped(nonces, ({ metadata }) => [{ name: metadata.namespace ?? '' }]),
      // Which namespace is that of a peer depends on all that carry its label.
      mapped(namespaces, (namespace) => tenantNamespacesLike(namespace, namespaces)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function tenantNamespacesLike(
  namespace: Stored<Namespace>,
  namespaces: CachedReader<Namespace>,
): readonly ObjectKey[] {
  const peer = peerOfTenantNamespace(namespace);
  return namespaces
    .list()
    .filter((other) => peerOfTenantNamespace(other) === peer)
    .map(keyOf);
}
