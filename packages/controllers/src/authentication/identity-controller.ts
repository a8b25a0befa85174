import { ForeignCluster, Identity, VirtualNode } from '@liqo/api';
import { type KubeObject, keyOf, type ObjectKey, type Stored } from '@liqo/kube';
import { refusedIdentity } from '@liqo/model';
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
  const { client, clock, clusterID, metrics } = context;
  const loop = new ControlLoop(context);
  const identities = loop.watch(Identity);
  const foreignClusters = loop.watch(ForeignCluster);
  const virtualNodes = loop.watch(VirtualNode);
  const whyRefused = (identity: Stored<Identity>) =>
    refusedIdentity(identity, {
      foreignCluster: foreignClusters.get({ name: identity.spec.clusterID ?? '' }),
      virtualNodes: virtualNodes.list(identity.metadata.namespace),
    });
  const reconciler = new IdentityReconciler({
    client,
    clock,
    clusterID,
    metrics,
    reservedAddresses,
    identities,
    secrets,
    hasAccess: (namespace) => secrets.isWatched(namespace),
    clusterKeys,
    whyMisplaced,
    whyRefused,
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
      mapped(foreignClusters, ({ spec }) =>
        identities
          .list()
          .filter((identity) => identity.spec?.clusterID === spec?.clusterID)
          .map(keyOf),
      ),
      mapped(virtualNodes, ({ metadata }) => identities.list(metadata.namespace).map(keyOf)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function ownersOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const { namespace, ownerReferences = [] } = metadata ?? {};
  const owners = ownerReferences.filter(({ kind }) => kind === Identity.kind);
  return owners.map(({ name }) => ({ namespace, name }));
}
