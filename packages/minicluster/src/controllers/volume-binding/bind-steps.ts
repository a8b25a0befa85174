import type { PersistentVolume, PersistentVolumeClaim, Stored } from '@liqo/kube';
import { bindCompleted, boundByController, isReservedFor } from '../../volumes/claim-binding.ts';

/** The volume as it is once it is bound to the claim; the same one if it is already. */
export function withClaim(
  volume: Stored<PersistentVolume>,
  claim: Stored<PersistentVolumeClaim>,
): Stored<PersistentVolume> {
  const { claimRef } = volume.spec ?? {};
  if (claimRef?.uid === claim.metadata.uid) return volume;
  const { metadata } = volume;
  const isChosenHere = !isReservedFor(volume, claim);
  const annotations = {
    ...metadata.annotations,
    ...(isChosenHere && { [boundByController]: 'yes' }),
  };
  return {
    ...volume,
    metadata: { ...metadata, annotations },
    spec: { ...volume.spec, claimRef: referenceTo(claim) },
  };
}

/** As kube-controller-manager and kube-scheduler write it. */
function referenceTo({ metadata }: Stored<PersistentVolumeClaim>) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace: namespace ?? '',
    name,
    uid,
    resourceVersion,
  };
}

/** The claim as it is once it is bound to the volume; the same one if it is already. */
export function withVolume(
  claim: Stored<PersistentVolumeClaim>,
  { metadata: { name } }: Stored<PersistentVolume>,
): Stored<PersistentVolumeClaim> {
  const { metadata, spec } = claim;
  const isNamed = spec?.volumeName === name;
  if (isNamed && metadata.annotations?.[bindCompleted] !== undefined) return claim;
  const annotations = {
    ...metadata.annotations,
    ...(!isNamed && { [boundByController]: 'yes' }),
    [bindCompleted]: 'yes',
  };
  return { ...claim, metadata: { ...metadata, annotations }, spec: { ...spec, volumeName: name } };
}

/** The status of a claim that is bound to a volume: it has what the volume has. */
export function boundStatus({ spec }: PersistentVolume): PersistentVolumeClaim['status'] {
  const { accessModes, capacity } = spec ?? {};
  return { phase: 'Bound', ...(accessModes && { accessModes }), ...(capacity && { capacity }) };
}
