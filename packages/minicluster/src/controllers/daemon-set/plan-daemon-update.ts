import type { DaemonSet, Node, Pod, Stored } from '@liqo/kube';
import { resolveIntOrPercent } from '../int-or-percent.ts';
import { isPodAvailable, isPodTerminating } from '../pod-state.ts';
import { fitNode, hashLabel } from './daemon-pod.ts';
import type { DaemonSetInputs, DaemonSetPlan } from './plan-daemon-set.ts';

type PodsByNode = ReadonlyMap<string, readonly Stored<Pod>[]>;

/** A node that should have a pod, or still has one, and what is there that does not end. */
interface Place {
  readonly node: string;
  readonly shouldRun: boolean;
  readonly fresh: Stored<Pod> | undefined;
  readonly old: Stored<Pod> | undefined;
  /** More of one kind than one: then it is not touched here. */
  readonly isCrowded: boolean;
}

const nothing: DaemonSetPlan = { create: [], remove: [], finished: [] };

export function allowsSurge(set: DaemonSet): boolean {
  return maxSurge(set, 1) > 0;
}

/** One step from pods of an old template to pods of the present one. */
export function planDaemonUpdate(
  inputs: DaemonSetInputs,
  byNode: PodsByNode,
  nowMs: number,
): DaemonSetPlan {
  const { set } = inputs;
  if (set.spec?.updateStrategy?.type === 'OnDelete') return nothing;
  const { minReadySeconds = 0 } = set.spec ?? {};
  const isAvailable = (pod: Stored<Pod> | undefined) =>
    pod !== undefined && isPodAvailable(pod, minReadySeconds, nowMs);
  const places = inputs.nodes.flatMap((node) => placeOf(inputs, node, byNode));
  return allowsSurge(set)
    ? planSurge(set, places, isAvailable)
    : planReplacement(set, places, isAvailable);
}

function placeOf(
  { set, hash }: DaemonSetInputs,
  { metadata, ...rest }: Stored<Node>,
  byNode: PodsByNode,
): readonly Place[] {
  const { shouldRun } = fitNode(set.spec?.template, { metadata, ...rest });
  const pods = byNode.get(metadata.name);
  if (!shouldRun && !pods) return [];
  const staying = (pods ?? []).filter((pod) => !isPodTerminating(pod));
  const isFresh = (pod: Stored<Pod>) => pod.metadata.labels?.[hashLabel] === hash;
  const fresh = staying.filter(isFresh);
  const old = staying.filter((pod) => !isFresh(pod));
  const isCrowded = fresh.length > 1 || old.length > 1;
  return [{ node: metadata.name, shouldRun, fresh: fresh[0], old: old[0], isCrowded }];
}

type IsAvailable = (pod: Stored<Pod> | undefined) => boolean;

/** Old pods go first: those that do not work at once, the others as far as availability allows. */
function planReplacement(
  set: DaemonSet,
  places: readonly Place[],
  isAvailable: IsAvailable,
): DaemonSetPlan {
  const isWorking = ({ fresh, old, isCrowded }: Place) =>
    !isCrowded && Boolean(fresh) !== Boolean(old) && isAvailable(fresh ?? old);
  const unavailable = places.filter((place) => !isWorking(place)).length;
  const replaceable = places.filter(({ fresh, isCrowded }) => !fresh && !isCrowded);
  const broken = replaceable.filter(({ old }) => old && !isAvailable(old));
  const working = replaceable.filter(({ old }) => isAvailable(old));
  const spare = Math.max(0, maxUnavailable(set, countWanted(places)) - unavailable);
  const chosen = [...broken, ...working.slice(0, spare)];
  return { ...nothing, remove: chosen.flatMap(({ old }) => old ?? []) };
}

/**
 * New pods come first, beside old ones that work for so many nodes at a time, and an old pod goes when its successor is
 * available. From nodes where none should run any more, pods go when enough run elsewhere.
 */
function planSurge(
  set: DaemonSet,
  places: readonly Place[],
  isAvailable: IsAvailable,
): DaemonSetPlan {
  const orderly = places.filter(({ isCrowded }) => !isCrowded);
  const surging = orderly.filter(({ fresh, old }) => old && fresh && !isAvailable(fresh));
  const succeeded = orderly.filter(({ fresh, old }) => old && isAvailable(fresh));
  const pending = orderly.filter(({ fresh, old }) => old && !fresh);
  const broken = pending.filter(({ old }) => !isAvailable(old));
  const working = pending.filter(({ old }) => isAvailable(old));
  const busy = surging.length + places.length - orderly.length;
  const room = Math.max(0, maxSurge(set, countWanted(places)) - busy);
  const isWanted = ({ shouldRun }: Place) => shouldRun;
  const isUnwanted = ({ shouldRun }: Place) => !shouldRun;
  const available = orderly.filter(({ fresh, old }) => isAvailable(old ?? fresh)).length;
  const dispensable = Math.max(0, available - countWanted(places));
  const leaving = [
    ...succeeded,
    ...broken.filter(isUnwanted),
    ...working.filter(isUnwanted).slice(0, dispensable),
  ];
  const growing = [...broken.filter(isWanted), ...working.filter(isWanted).slice(0, room)];
  return {
    ...nothing,
    create: growing.map(({ node }) => node),
    remove: leaving.flatMap(({ old }) => old ?? []),
  };
}

function countWanted(places: readonly Place[]): number {
  return places.filter(({ shouldRun }) => shouldRun).length;
}

function maxSurge({ spec }: DaemonSet, wanted: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return 0;
  return resolveIntOrPercent(rollingUpdate?.maxSurge ?? 0, wanted, 'up');
}

function maxUnavailable({ spec }: DaemonSet, wanted: number): number {
  const { maxUnavailable: limit = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  return Math.max(1, resolveIntOrPercent(limit, wanted, 'up'));
}
