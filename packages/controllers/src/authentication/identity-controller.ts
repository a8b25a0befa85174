import { Identity } from '@liqo/api';
import { type KubeObject, keyOf, type ObjectKey } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ClusterKeysControl } from './cluster-keys-controller.ts';
import type { IdentityRules } from './judge-identity.ts';
import { IdentityReconciler } from './reconcile-identity.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

/** At a consumer: makes kubeconfig Secrets of the credentials that providers gave. */
export function startIdentityController(
  context: ControllerContext,
  { secrets, bindings, namespaces, whyMisplaced }: TenantSecrets,
  { clusterKeys, keysSecret }: ClusterKeysControl,
  { reservedAddresses }: Pick<IdentityRules, 'reservedAddresses'>,
): Stoppable {
  const { client, clock, clusterID } = context;
  const loop = new ControlLoop(context);
  const identities = loop.watch(Identity);
  const reconciler = new IdentityReconciler({
    client,
    clock,
    clusterID,
    reservedAddresses,
    identities,
    secrets,
    hasAccess: (namespace) => secrets.isWatched(namespace),
    clusterKeys,
    whyMisplaced,
    whyRefused: () => undefined,
  });
  const all = () => identities.list().map(keyOf);
  return loop.run({
    name: 'identity',
    sources: [
      primary(identities),
      mapped(secrets, ownersOf),
      // Which namespace is that of a peer depends on all of them, and every kubeconfig on the key.
      mapped(namespaces, all),
      mapped(bindings, ({ metadata }) => identities.list(metadata.namespace).map(keyOf)),
      mapped(keysSecret, all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function ownersOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const { namespace, ownerReferences = [] } = metadata ?? {};
  const owners = ownerReferences.filter(({ kind }) => kind === Identity.kind);
  return owners.map(({ name }) => ({ namespace, name }));
}
