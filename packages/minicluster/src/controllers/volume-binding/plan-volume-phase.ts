import type { PersistentVolume, PersistentVolumeClaim, Stored } from '@liqo/kube';

/** The phase of a volume, given the very claim that it is bound to, if that exists. Undefined: not decided yet. */
export function planVolumePhase(
  { metadata, spec, status }: Stored<PersistentVolume>,
  claim: Stored<PersistentVolumeClaim> | undefined,
): string | undefined {
  if (!spec?.claimRef?.uid) return 'Available';
  if (claim && !claim.spec?.volumeName) return undefined;
  if (claim?.spec?.volumeName === metadata.name) return 'Bound';
  return status?.phase === 'Failed' ? 'Failed' : 'Released';
}
