import {
  deepEqual,
  type KubeObject,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
  type Stored,
} from '@liqo/kube';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import { forgeControllerReference } from '../owner-reference.ts';
import { ordinalOf } from './stateful-pod.ts';

/**
 * Who a claim shall go with, by the retention policy of the set: with the pod, once it is scaled away, or with the set.
 * Undefined when that is so already, or not ours to say: of a namesake from before nothing is changed.
 */
export function planClaimOwners(
  set: Stored<StatefulSet>,
  pod: Stored<Pod>,
  claim: Stored<PersistentVolumeClaim>,
): readonly OwnerReference[] | undefined {
  const references = claim.metadata.ownerReferences ?? [];
  if (isStale(references, set) || isStale(references, pod)) return undefined;
  const foreign = references.filter((one) => !refersTo(one, set) && !refersTo(one, pod));
  const owner = foreign.some(({ controller }) => controller) ? undefined : ownerFor(set, pod);
  const wanted = owner ? [...foreign, forgeControllerReference(owner)] : foreign;
  return deepEqual(wanted, references) ? undefined : wanted;
}

/** The policy is on, but somebody else controls the claim. */
export function isOverruled(
  set: Stored<StatefulSet>,
  pod: Stored<Pod>,
  claim: Stored<PersistentVolumeClaim>,
): boolean {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenDeleted !== 'Delete' && whenScaled !== 'Delete') return false;
  const controllers = claim.metadata.ownerReferences?.filter(({ controller }) => controller) ?? [];
  return controllers.some((one) => !refersTo(one, set) && !refersTo(one, pod));
}

/** It is to go with an earlier pod of the same name: the next one must not get it. */
export function isLeftBehind(
  set: StatefulSet,
  podName: string,
  claim: PersistentVolumeClaim,
): boolean {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
  const references = claim.metadata?.ownerReferences ?? [];
  return references.some(({ kind, name }) => kind === 'Pod' && name === podName);
}

function ownerFor(set: Stored<StatefulSet>, pod: Stored<Pod>): Stored<KubeObject> | undefined {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && isScaledAway(set, pod)) return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}

function isScaledAway(set: Stored<StatefulSet>, pod: Stored<Pod>): boolean {
  const start = set.spec?.ordinals?.start ?? 0;
  const ordinal = ordinalOf(set, pod) ?? -1;
  return ordinal < start || ordinal >= start + (set.spec?.replicas ?? 1);
}

function refersTo(reference: OwnerReference, { apiVersion, kind, metadata }: Stored<KubeObject>) {
  const isKind = reference.apiVersion === apiVersion && reference.kind === kind;
  return isKind && reference.name === metadata.name;
}

function isStale(references: readonly OwnerReference[], owner: Stored<KubeObject>): boolean {
  return references.some((one) => refersTo(one, owner) && one.uid !== owner.metadata.uid);
}
