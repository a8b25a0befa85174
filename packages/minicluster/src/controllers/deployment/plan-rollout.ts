import type { Deployment, ReplicaSet, Stored } from '@liqo/kube';
import {
  byCreation,
  desiredReplicasAnnotation,
  type History,
  maxReplicasAnnotation,
  revisionOf,
} from './replica-set-history.ts';
import { maxSurge, maxUnavailable } from './rolling-limits.ts';

/** How large a ReplicaSet shall be. */
export interface Scaling {
  readonly replicaSet: Stored<ReplicaSet>;
  readonly replicas: number;
}

export function sizeOf(replicaSet: ReplicaSet): number {
  return replicaSet.spec?.replicas ?? 1;
}

function wantedSize(deployment: Deployment): number {
  return deployment.spec?.replicas ?? 1;
}

function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, one) => sum + sizeOf(one), 0);
}

function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

/** With how many replicas the ReplicaSet of a new template may start, or go on: the surge is the limit. */
export function newReplicaSetSize(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  currentSize: number,
): number {
  const wanted = wantedSize(deployment);
  if (deployment.spec?.strategy?.type === 'Recreate') return wanted;
  const room = wanted + maxSurge(deployment) - totalSize(old) - currentSize;
  return room <= 0 ? currentSize : currentSize + Math.min(room, wanted - currentSize);
}

/** One step of a rolling update: first the new ReplicaSet grows as far as it may, then the old ones shrink. */
export function planRolling(
  deployment: Deployment,
  current: Stored<ReplicaSet>,
  old: readonly Stored<ReplicaSet>[],
): readonly Scaling[] {
  const [size, wanted] = [sizeOf(current), wantedSize(deployment)];
  if (size > wanted) return [{ replicaSet: current, replicas: wanted }];
  const grown = newReplicaSetSize(deployment, old, size);
  if (grown !== size) return [{ replicaSet: current, replicas: grown }];
  return planShrinking(deployment, current, old);
}

/** Replicas that do not work go first, and they do not count against availability. */
function planShrinking(
  deployment: Deployment,
  current: Stored<ReplicaSet>,
  old: readonly Stored<ReplicaSet>[],
): readonly Scaling[] {
  const active = old.filter((one) => sizeOf(one) > 0).toSorted(byCreation);
  const minAvailable = wantedSize(deployment) - maxUnavailable(deployment);
  const pendingNew = sizeOf(current) - availableOf(current);
  let removable = totalSize([current, ...active]) - minAvailable - pendingNew;
  if (active.length === 0 || removable <= 0) return [];
  const sizes = new Map(active.map((one) => [one, sizeOf(one)]));
  for (const one of active) {
    const broken = Math.max(0, Math.min(removable, sizeOf(one) - availableOf(one)));
    sizes.set(one, sizeOf(one) - broken);
    removable -= broken;
  }
  let spare = [current, ...active].reduce((sum, one) => sum + availableOf(one), 0) - minAvailable;
  for (const one of active) {
    const size = sizes.get(one) ?? 0;
    const removed = Math.max(0, Math.min(size, spare));
    sizes.set(one, size - removed);
    spare -= removed;
  }
  return changes(sizes);
}

function changes(sizes: ReadonlyMap<Stored<ReplicaSet>, number>): readonly Scaling[] {
  return [...sizes]
    .filter(([replicaSet, replicas]) => replicas !== sizeOf(replicaSet))
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}

/** Everything old goes before anything new comes. */
export function planRecreate(old: readonly Stored<ReplicaSet>[]): readonly Scaling[] {
  return changes(new Map(old.map((one) => [one, 0])));
}

/** Somebody resized the Deployment since its ReplicaSets were sized. */
export function isScalingEvent(deployment: Deployment, { current, old }: History): boolean {
  return [...(current ? [current] : []), ...old]
    .filter((one) => sizeOf(one) > 0)
    .map(({ metadata }) => metadata.annotations?.[desiredReplicasAnnotation])
    .some((desired) => desired !== undefined && Number(desired) !== wantedSize(deployment));
}

/** The new size spread over what there is, in proportion, without a step of the rollout. */
export function planScaling(deployment: Deployment, history: History): readonly Scaling[] {
  const { current, old } = history;
  const wanted = wantedSize(deployment);
  const only = activeOrLatest(history);
  if (only) return sizeOf(only) === wanted ? [] : [{ replicaSet: only, replicas: wanted }];
  if (current && isSaturated(deployment, current)) return planRecreate(old);
  if (deployment.spec?.strategy?.type === 'Recreate') return [];
  const active = [...old, ...(current ? [current] : [])].filter((one) => sizeOf(one) > 0);
  return spread(deployment, active);
}

function activeOrLatest({ current, old }: History): Stored<ReplicaSet> | undefined {
  const newestFirst = old.toSorted(byCreation).toReversed();
  const all = [...newestFirst, ...(current ? [current] : [])];
  const active = all.filter((one) => sizeOf(one) > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? current ?? newestFirst[0];
}

function isSaturated(deployment: Deployment, current: Stored<ReplicaSet>): boolean {
  const wanted = wantedSize(deployment);
  const desired = Number(current.metadata.annotations?.[desiredReplicasAnnotation] ?? Number.NaN);
  return sizeOf(current) === wanted && desired === wanted && availableOf(current) === wanted;
}

function spread(deployment: Deployment, active: readonly Stored<ReplicaSet>[]): readonly Scaling[] {
  const wanted = wantedSize(deployment);
  const toAdd = (wanted > 0 ? wanted + maxSurge(deployment) : 0) - totalSize(active);
  const sorted = active.toSorted((a, b) => largestFirst(a, b) || byAge(toAdd, a, b));
  let added = 0;
  const sized = sorted.map((replicaSet) => {
    const share = shareOf(deployment, replicaSet, toAdd - added, toAdd);
    added += share;
    return { replicaSet, replicas: sizeOf(replicaSet) + share };
  });
  return sized.map((scaling, index) =>
    index > 0 ? scaling : { ...scaling, replicas: Math.max(0, scaling.replicas + (toAdd - added)) },
  );
}

function largestFirst(a: ReplicaSet, b: ReplicaSet): number {
  return sizeOf(b) - sizeOf(a);
}

/** Growth favours the newer of equals, shrinking takes from the older. */
function byAge(toAdd: number, a: Stored<ReplicaSet>, b: Stored<ReplicaSet>): number {
  return toAdd > 0 ? byCreation(b, a) : byCreation(a, b);
}

function shareOf(
  deployment: Deployment,
  replicaSet: Stored<ReplicaSet>,
  left: number,
  toAdd: number,
): number {
  if (toAdd === 0 || left === 0) return 0;
  const fraction = fractionOf(deployment, replicaSet);
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(deployment: Deployment, replicaSet: Stored<ReplicaSet>): number {
  const [size, wanted] = [sizeOf(replicaSet), wantedSize(deployment)];
  if (wanted === 0) return -size;
  const annotated = Number(replicaSet.metadata.annotations?.[maxReplicasAnnotation] ?? 0);
  const before = annotated || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (wanted + maxSurge(deployment))) / before) - size;
}

/** The oldest revisions beyond the limit, as far as nothing of them runs any more. */
export function planCleanup(
  deployment: Deployment,
  old: readonly Stored<ReplicaSet>[],
): readonly Stored<ReplicaSet>[] {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = Math.max(0, alive.length - limit);
  const oldest = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, excess);
  return oldest.filter((one) => isIdle(one));
}

function isIdle(replicaSet: Stored<ReplicaSet>): boolean {
  const { replicas = 0, observedGeneration = 0 } = replicaSet.status ?? {};
  const isObserved = (replicaSet.metadata.generation ?? 0) <= observedGeneration;
  return sizeOf(replicaSet) === 0 && replicas === 0 && isObserved;
}
