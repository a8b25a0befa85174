import { findCondition, formatTime, type Node, type Stored } from '@liqo/kube';
import type { Taint } from 'kubernetes-types/core/v1.d.ts';
import { notReadyTaint, planExecuteTaints, unreachableTaint } from './taints.ts';

/** In each zone, one node per so many milliseconds: most outages are over before many nodes were emptied. */
const zonePauseMs = 10_000;
const largeZone = 50;
const unhealthyShare = 0.55;

type ZoneState = 'normal' | 'partial' | 'full';

export interface EvictionPlan {
  readonly taints: readonly { readonly node: Stored<Node>; readonly taints: Taint[] }[];
  /** When a node was last given up, by zone. */
  readonly lastMs: ReadonlyMap<string, number>;
}

/**
 * Which nodes get or lose the taint that drives their pods away. If all of the cluster is silent, the fault is more
 * likely on our side, and nobody is driven away; the same in a small zone of which more than half is.
 */
export function planEvictions(
  nodes: readonly Stored<Node>[],
  lastMs: ReadonlyMap<string, number>,
  nowMs: number,
): EvictionPlan {
  const zones = groupByZone(nodes);
  const states = new Map([...zones].map(([zone, members]) => [zone, zoneState(members)]));
  const isAllDown = [...states.values()].every((state) => state === 'full');
  const last = new Map(lastMs);
  const now = formatTime(nowMs);
  const taints = nodes.flatMap((node) => {
    const zone = zoneOf(node);
    const wanted = isAllDown ? undefined : wantedTaint(node);
    const planned = planExecuteTaints(node, wanted, now);
    if (!planned) return [];
    const isNew = wanted !== undefined && !hasExecuteTaint(node);
    if (isNew && !mayGiveUp(states.get(zone), zones.get(zone)?.length ?? 0)) return [];
    if (isNew && nowMs - (last.get(zone) ?? Number.NEGATIVE_INFINITY) < zonePauseMs) return [];
    if (isNew) last.set(zone, nowMs);
    return [{ node, taints: planned }];
  });
  return { taints, lastMs: last };
}

function mayGiveUp(state: ZoneState | undefined, size: number): boolean {
  return state !== 'partial' || size > largeZone;
}

function wantedTaint(node: Node): typeof notReadyTaint | typeof unreachableTaint | undefined {
  const status = findCondition(node.status?.conditions, 'Ready')?.status;
  if (status === 'False') return notReadyTaint;
  return status === 'Unknown' ? unreachableTaint : undefined;
}

function hasExecuteTaint({ spec }: Node): boolean {
  return (spec?.taints ?? []).some(
    ({ key, effect }) =>
      effect === 'NoExecute' && (key === notReadyTaint || key === unreachableTaint),
  );
}

function zoneState(nodes: readonly Node[]): ZoneState {
  const ready = nodes.filter(
    ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True',
  ).length;
  const unhealthy = nodes.length - ready;
  if (ready === 0 && unhealthy > 0) return 'full';
  return unhealthy > 2 && unhealthy / nodes.length >= unhealthyShare ? 'partial' : 'normal';
}

function zoneOf({ metadata }: Node): string {
  const { labels = {} } = metadata ?? {};
  const region = labels['topology.kubernetes.io/region'] ?? '';
  return `${region}/${labels['topology.kubernetes.io/zone'] ?? ''}`;
}

function groupByZone(nodes: readonly Stored<Node>[]): ReadonlyMap<string, Stored<Node>[]> {
  const zones = new Map<string, Stored<Node>[]>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    zones.set(zone, [...(zones.get(zone) ?? []), node]);
  }
  return zones;
}
