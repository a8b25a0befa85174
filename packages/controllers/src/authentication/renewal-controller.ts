import { Identity, Renew } from '@liqo/api';
import { keyOf } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { ClusterKeysControl } from './cluster-keys-controller.ts';
import type { IdentityRules } from './judge-identity.ts';
import { RenewalReconciler } from './reconcile-renewal.ts';
import type { TenantSecrets } from './tenant-secrets.ts';

/** At a consumer: keeps the certificates of its control plane from expiring. */
export function startRenewalController(
  context: ControllerContext,
  { namespaces, whyMisplaced }: Pick<TenantSecrets, 'namespaces' | 'whyMisplaced'>,
  { clusterKeys, keysSecret }: ClusterKeysControl,
  { reservedAddresses }: Pick<IdentityRules, 'reservedAddresses'>,
): Stoppable {
  const { client, clock, clusterID, events } = context;
  const loop = new ControlLoop(context);
  const identities = loop.watch(Identity);
  const renews = loop.watch(Renew);
  const reconciler = new RenewalReconciler({
    client,
    clock,
    clusterID,
    events,
    identities,
    renews,
    clusterKeys,
    whyMisplaced,
    reservedAddresses,
  });
  const all = () => identities.list().map(keyOf);
  return loop.run({
    name: 'renewal',
    // A Renew has the name of its Identity.
    sources: [
      primary(identities),
      primary(renews),
      mapped(namespaces, all),
      mapped(keysSecret, all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
