import { randomBytes } from 'node:crypto';
import { keyOf, Namespace, type ObjectKey, type Stored } from '@liqo/kube';
import { peerOfTenantNamespace } from '@liqo/model';
import { type CachedReader, mapped, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { tenantNamespaces } from '../selections.ts';
import { NonceReconciler } from './reconcile-nonce.ts';

/** At a provider: fills the Secrets from which administrators of consumers take the nonce that their cluster signs. */
export function startNonceController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const namespaces = loop.watch(Namespace, tenantNamespaces);
  const { secrets: nonces } = loop.watchTenantSecrets();
  const reconciler = new NonceReconciler({ ...context, randomBytes, namespaces, nonces });
  return loop.run({
    name: 'nonce',
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
