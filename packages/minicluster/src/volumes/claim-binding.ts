import {
  matchesNodeSelector,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
  type Stored,
} from '@liqo/kube';
import { storageClassOf } from '../resources/storage/access-modes.ts';

export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const selectedNode = 'volume.kubernetes.io/selected-node';

/** Provisions nothing: volumes of such a class are made by people. */
export const noProvisioner = 'kubernetes.io/no-provisioner';

export type FindClass = (name: string) => Stored<StorageClass> | undefined;

export function hasNote({ metadata }: { metadata?: Noted }, key: string): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, key);
}

interface Noted {
  readonly annotations?: { readonly [key: string]: string };
}

/** Whether the controller has finished with the claim. */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && hasNote(claim, bindCompleted);
}

/** Whether a volume is reserved for the claim, or bound to it. */
export function isReservedFor(
  { spec }: PersistentVolume,
  { metadata }: Stored<PersistentVolumeClaim>,
): boolean {
  const { name, namespace, uid } = spec?.claimRef ?? {};
  if (name !== metadata.name || namespace !== metadata.namespace) return false;
  return !uid || uid === metadata.uid;
}

/** Whether the claim gets a volume only once a pod that uses it has a Node. */
export function bindsLate(claim: PersistentVolumeClaim, findClass: FindClass): boolean {
  return findClass(storageClassOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
}

export function isUsableOn(volume: PersistentVolume, node: Node): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  return !required || matchesNodeSelector(required, node);
}
