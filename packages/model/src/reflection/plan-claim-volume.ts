import { annotations } from '@liqo/api';
import {
  ownMember,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Stored,
} from '@liqo/kube';
import { type ClaimFacts, isAtProvider, isCopyOf, isToBeDeleted, volumeName } from './claim.ts';
import { isReflectedCopy, type ReflectionRoute } from './reflection-route.ts';

type Claim = Stored<PersistentVolumeClaim>;

/** What to do next for the volumes that stand for a claim at the provider. */
export type ClaimVolumeStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'create'; readonly claim: Claim }
  | { readonly type: 'delete'; readonly volume: Stored<PersistentVolume> };

export interface ClaimVolumeFacts extends ClaimFacts {
  readonly local: Claim | undefined;
  /** As `readReflected` gives it. */
  readonly remote: Claim | undefined;
  /** Those that are reserved for a claim of that name. */
  readonly volumes: readonly Stored<PersistentVolume>[];
}

/** A volume comes once the claim is at the provider, and goes once it is gone there. */
export function planClaimVolume(facts: ClaimVolumeFacts, route: ReflectionRoute): ClaimVolumeStep {
  const { local, remote, volumes } = facts;
  const released = volumes.find(
    (volume) =>
      isToBeDeleted(volume) &&
      volume.spec?.claimRef?.uid !== local?.metadata.uid &&
      !(remote && standsFor(volume, remote)),
  );
  if (released) return { type: 'delete', volume: released };
  if (!local || !remote || !isReflectedCopy(remote, route)) return { type: 'nothing' };
  const isThere = remote.metadata.deletionTimestamp === undefined && isCopyOf(remote, local);
  const isBound = local.spec?.volumeName || facts.volumeOf(volumeName(local.metadata.uid));
  if (!isThere || isBound || !isAtProvider(local, route, facts)) return { type: 'nothing' };
  return { type: 'create', claim: local };
}

function standsFor({ metadata }: Stored<PersistentVolume>, remote: Claim): boolean {
  const uid = ownMember(remote.metadata.annotations, annotations.claimUid);
  return uid === undefined || metadata.name === volumeName(uid);
}
