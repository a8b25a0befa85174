import { labels } from '@liqo/api';
import { keyOf, type Secret } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ClusterKeysControl } from './cluster-keys-controller.ts';
import { SignedNonceReconciler } from './reconcile-signed-nonce.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

/** At a consumer: signs the nonces of its providers. */
export function startSignedNonceController(
  context: ControllerContext,
  { secrets, bindings, namespaces, whyMisplaced }: TenantSecrets,
  { clusterKeys, keysSecret }: ClusterKeysControl,
): Stoppable {
  const { client, events } = context;
  const reconciler = new SignedNonceReconciler({
    client,
    events,
    secrets,
    clusterKeys,
    whyMisplaced,
  });
  const all = () => secrets.list().filter(isSignedNonce).map(keyOf);
  return new ControlLoop(context).run({
    name: 'signed-nonce',
    caches: [bindings],
    // Which namespace is that of a peer depends on all of them, and every signature on the key.
    sources: [primary(secrets), mapped(namespaces, all), mapped(keysSecret, all)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
    onTerminalError: (key, error) => reconciler.reportTerminal(key, error),
  });
}

function isSignedNonce({ metadata }: Secret): boolean {
  return Object.hasOwn(metadata?.labels ?? {}, labels.signedNonce);
}
