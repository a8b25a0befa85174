import {
  compareQuantities,
  labelQueryFromSelector,
  matchesLabels,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Stored,
} from '@liqo/kube';
import { storageClassOf } from '../resources/storage/access-modes.ts';
import { readQuantity } from '../resources/validation/quantities.ts';
import { isReservedFor, isUsableOn } from './claim-binding.ts';

interface Search {
  readonly volumes: readonly Stored<PersistentVolume>[];
  /** That the volume has to be usable on. */
  readonly node?: Node;
  /** Whether only a volume that is reserved for the claim will do. */
  readonly onlyReserved?: boolean;
}

/** The volume for a claim: the one that is reserved for it, or the smallest that is large enough. */
export function findVolume(
  claim: Stored<PersistentVolumeClaim>,
  { volumes, node, onlyReserved = false }: Search,
): Stored<PersistentVolume> | undefined {
  const fitting = volumes.filter((volume) => fits(volume, claim));
  const isUsable = (volume: Stored<PersistentVolume>) => !node || isUsableOn(volume, node);
  const reserved = fitting.find((volume) => isReservedFor(volume, claim));
  if (reserved) return isUsable(reserved) ? reserved : undefined;
  if (onlyReserved) return undefined;
  const [smallest] = fitting
    .filter((volume) => !volume.spec?.claimRef && volume.status?.phase === 'Available')
    .filter((volume) => storageClassOf(volume) === storageClassOf(claim))
    .filter((volume) => isChosenBy(claim, volume))
    .filter(isUsable)
    .toSorted((one, other) => compareQuantities(sizeOf(one), sizeOf(other)));
  return smallest;
}

function fits(volume: Stored<PersistentVolume>, { spec = {} }: PersistentVolumeClaim): boolean {
  const modes = volume.spec?.accessModes ?? [];
  const wanted = readQuantity(spec.resources?.requests?.storage);
  return (
    volume.metadata.deletionTimestamp === undefined &&
    (volume.spec?.volumeMode ?? 'Filesystem') === (spec.volumeMode ?? 'Filesystem') &&
    (spec.accessModes ?? []).every((mode) => modes.includes(mode)) &&
    compareQuantities(sizeOf(volume), wanted) >= 0
  );
}

function sizeOf({ spec }: PersistentVolume) {
  return readQuantity(spec?.capacity?.storage);
}

/** A claim without a selector takes any. */
function isChosenBy(
  { spec }: PersistentVolumeClaim,
  { metadata }: Stored<PersistentVolume>,
): boolean {
  const { selector } = spec ?? {};
  return !selector || matchesLabels(labelQueryFromSelector(selector), metadata.labels);
}
