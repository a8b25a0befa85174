import type { PersistentVolume, PersistentVolumeClaim, StorageClass, Stored } from '@liqo/kube';

/** What the scheduler sees of volumes. */
export interface VolumeSnapshot {
  claim(namespace: string | undefined, name: string): Stored<PersistentVolumeClaim> | undefined;
  volume(name: string): Stored<PersistentVolume> | undefined;
  storageClass(name: string): Stored<StorageClass> | undefined;
  /** Without those that were promised to pods a moment ago. */
  readonly freeVolumes: readonly Stored<PersistentVolume>[];
}

/** Of a cluster that does not serve volumes. */
export const noVolumes: VolumeSnapshot = {
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  freeVolumes: [],
};
