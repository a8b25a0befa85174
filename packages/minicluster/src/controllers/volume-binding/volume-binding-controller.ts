import {
  deepEqual,
  keyOf,
  keyString,
  PersistentVolume,
  PersistentVolumeClaim,
  parseKey,
  StorageClass,
  type Stored,
} from '@liqo/kube';
import { isReservedFor } from '../../volumes/claim-binding.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ClaimBinder } from './claim-binder.ts';
import { planVolumePhase } from './plan-volume-phase.ts';

/**
 * Brings claims and volumes together, as the persistent volume controller of Kubernetes does, and asks the provisioner of a
 * class for volumes that are not there. It makes and removes none itself.
 */
export function startVolumeBindingController(context: ControllerContext): void {
  const claims = context.informer(PersistentVolumeClaim);
  const volumes = context.informer(PersistentVolume);
  const classes = context.informer(StorageClass);
  const events = context.events('persistentvolume-controller');
  const binder = new ClaimBinder({ claims, volumes, classes, events });
  const claimLoop = context.loop('persistentvolumeclaim', async (key) => {
    const claim = claims.get(parseKey(key));
    if (claim && !claim.metadata.deletionTimestamp) await binder.reconcile(claim);
    return undefined;
  });
  const volumeLoop = context.loop('persistentvolume', async (name) => {
    const volume = volumes.get({ name });
    if (!volume || volume.metadata.deletionTimestamp) return undefined;
    const phase = planVolumePhase(volume, await findClaim(context, volume));
    if (phase === undefined || volume.status?.phase === phase) return undefined;
    await volumes.updateStatus({ ...volume, status: { ...volume.status, phase } });
    return undefined;
  });
  const addUnbound = () => {
    for (const claim of claims.all()) {
      if (claim.status?.phase !== 'Bound') claimLoop.add(keyString(keyOf(claim)));
    }
  };
  claims.onChange((current, previous) => {
    const claim = current ?? previous;
    if (current) claimLoop.add(keyString(keyOf(current)));
    for (const volume of volumes.all()) {
      if (claim && isReservedFor(volume, claim)) volumeLoop.add(volume.metadata.name);
    }
  });
  volumes.onChange((current, previous) => {
    if (current) volumeLoop.add(current.metadata.name);
    const { name, namespace } = (current ?? previous)?.spec?.claimRef ?? {};
    if (name) claimLoop.add(keyString({ namespace, name }));
    if (current?.status?.phase !== previous?.status?.phase) addUnbound();
  });
  classes.onChange((current, previous) => {
    if (!deepEqual(current, previous)) addUnbound();
  });
}

/** The very claim that a volume is bound to: one that the cache does not have may only be late. */
async function findClaim(
  context: ControllerContext,
  { spec }: PersistentVolume,
): Promise<Stored<PersistentVolumeClaim> | undefined> {
  const { name, namespace, uid } = spec?.claimRef ?? {};
  if (!name || !uid) return undefined;
  const key = { namespace, name };
  const cached = context.informer(PersistentVolumeClaim).get(key);
  if (cached?.metadata.uid === uid) return cached;
  const live = await context.client.get(PersistentVolumeClaim, key, context.signal);
  return live?.metadata.uid === uid ? live : undefined;
}
