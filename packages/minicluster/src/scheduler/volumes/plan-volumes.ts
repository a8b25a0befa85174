import {
  compareQuantities,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type Stored,
} from '@liqo/kube';
import { storageClassOf } from '../../resources/storage/access-modes.ts';
import { readQuantity } from '../../resources/validation/quantities.ts';
import {
  bindsLate,
  isFullyBound,
  isUsableOn,
  noProvisioner,
  selectedNode,
} from '../../volumes/claim-binding.ts';
import { findVolume } from '../../volumes/find-volume.ts';
import type { VolumeSnapshot } from './volume-snapshot.ts';

type Claim = Stored<PersistentVolumeClaim>;
type Volume = Stored<PersistentVolume>;

/** The claims of a pod, or why it cannot get a node whatever the node. */
export type PodClaims =
  | { readonly type: 'claims'; readonly bound: readonly Claim[]; readonly late: readonly Claim[] }
  | { readonly type: 'refused'; readonly message: string };

/** What is to be done on a node before the pod is bound to it, or why the node will not do. */
export type VolumePlan =
  | {
      readonly type: 'plan';
      readonly bindings: readonly VolumeBinding[];
      readonly provisions: readonly Claim[];
    }
  | { readonly type: 'rejected'; readonly reason: string };

export interface VolumeBinding {
  readonly claim: Claim;
  readonly volume: Volume;
}

export function claimsOf({ metadata, spec }: Stored<Pod>, view: VolumeSnapshot): PodClaims {
  const names = (spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim: claim }) => claim?.claimName ?? [],
  );
  const claims: Claim[] = [];
  for (const name of names) {
    const claim = view.claim(metadata.namespace, name);
    const problem = claimProblem(name, claim);
    if (problem !== undefined) return { type: 'refused', message: problem };
    if (claim) claims.push(claim);
  }
  const bound = claims.filter(isFullyBound);
  const late = claims.filter((claim) => isLate(claim, view));
  if (bound.length + late.length < claims.length) {
    return { type: 'refused', message: 'pod has unbound immediate PersistentVolumeClaims' };
  }
  return { type: 'claims', bound, late };
}

function claimProblem(name: string, claim: Claim | undefined): string | undefined {
  const subject = `persistentvolumeclaim "${name}"`;
  if (!claim) return `${subject} not found`;
  if (claim.status?.phase === 'Lost') {
    return `${subject} bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  }
  return claim.metadata.deletionTimestamp ? `${subject} is being deleted` : undefined;
}

function isLate(claim: Claim, view: VolumeSnapshot): boolean {
  return !claim.spec?.volumeName && bindsLate(claim, (name) => view.storageClass(name));
}

const conflict = "node(s) didn't find available persistent volumes to bind";

/** The smallest claims choose first, so that they leave the large volumes to the others. */
export function planVolumes(
  { bound, late }: Extract<PodClaims, { type: 'claims' }>,
  node: Node,
  view: VolumeSnapshot,
): VolumePlan {
  const problem = boundProblem(bound, node, view);
  if (problem !== undefined) return { type: 'rejected', reason: problem };
  const bindings: VolumeBinding[] = [];
  const provisions: Claim[] = [];
  for (const claim of late.toSorted(bySize)) {
    const taken = bindings.map(({ volume }) => volume);
    const volumes = view.freeVolumes.filter((volume) => !taken.includes(volume));
    const chosen = claim.metadata.annotations?.[selectedNode];
    const volume = chosen === undefined ? findVolume(claim, { volumes, node }) : undefined;
    if (volume) bindings.push({ claim, volume });
    else if (mayProvision(claim, node, view)) provisions.push(claim);
    else return { type: 'rejected', reason: conflict };
  }
  return { type: 'plan', bindings, provisions };
}

function boundProblem(
  bound: readonly Claim[],
  node: Node,
  view: VolumeSnapshot,
): string | undefined {
  const volumes = bound.map(({ spec }) => view.volume(spec?.volumeName ?? ''));
  if (volumes.includes(undefined)) {
    return 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
  }
  const areUsable = volumes.every((volume) => volume && isUsableOn(volume, node));
  return areUsable ? undefined : "node(s) didn't match PersistentVolume's node affinity";
}

/** Where a volume is being made already, no other node comes into question. */
function mayProvision(claim: Claim, node: Node, view: VolumeSnapshot): boolean {
  const chosen = claim.metadata.annotations?.[selectedNode];
  if (chosen !== undefined) return chosen === node.metadata?.name;
  const { provisioner, allowedTopologies = [] } = view.storageClass(storageClassOf(claim)) ?? {};
  if (!provisioner || provisioner === noProvisioner) return false;
  const labels = node.metadata?.labels ?? {};
  return (
    allowedTopologies.length === 0 ||
    allowedTopologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
    )
  );
}

function bySize(one: Claim, other: Claim): number {
  const size = ({ spec }: Claim) => readQuantity(spec?.resources?.requests?.storage);
  return compareQuantities(size(one), size(other));
}
