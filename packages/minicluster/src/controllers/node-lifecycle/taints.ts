import type { Node } from '@liqo/kube';
import type { Taint, Toleration } from 'kubernetes-types/core/v1.d.ts';

export const notReadyTaint = 'node.kubernetes.io/not-ready';
export const unreachableTaint = 'node.kubernetes.io/unreachable';
const unschedulableTaint = 'node.kubernetes.io/unschedulable';

/** Which taint a condition in a status stands for. */
const taintOfCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReadyTaint, Unknown: unreachableTaint },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};

const managedKeys: ReadonlySet<string> = new Set([
  unschedulableTaint,
  ...Object.values(taintOfCondition).flatMap((byStatus) => Object.values(byStatus)),
]);

/** The taints that keep new pods away, from what the node says of itself. Undefined if they are as they should be. */
export function planScheduleTaints({ spec, status }: Node, now: string): Taint[] | undefined {
  const wanted = (status?.conditions ?? []).flatMap(
    (condition) => taintOfCondition[condition.type]?.[condition.status] ?? [],
  );
  if (spec?.unschedulable) wanted.push(unschedulableTaint);
  const isOurs = ({ key, effect }: Taint) => effect === 'NoSchedule' && managedKeys.has(key);
  const present = spec?.taints ?? [];
  const kept = present.filter((taint) => !isOurs(taint) || wanted.includes(taint.key));
  const missing = wanted.filter((key) => !kept.some((taint) => isOurs(taint) && taint.key === key));
  if (missing.length === 0 && kept.length === present.length) return undefined;
  const added = missing.map((key) => ({ key, effect: 'NoSchedule', timeAdded: now }));
  return [...kept, ...added];
}

/** The taints that drive pods away, with this one and no other of the two. Undefined if that is the case. */
export function planExecuteTaints(
  { spec }: Node,
  wanted: typeof notReadyTaint | typeof unreachableTaint | undefined,
  now: string,
): Taint[] | undefined {
  const isOurs = ({ key, effect }: Taint) =>
    effect === 'NoExecute' && (key === notReadyTaint || key === unreachableTaint);
  const present = spec?.taints ?? [];
  const kept = present.filter((taint) => !isOurs(taint) || taint.key === wanted);
  const isThere = wanted === undefined || kept.some((taint) => isOurs(taint));
  if (isThere) return kept.length === present.length ? undefined : kept;
  return [...kept, { key: wanted, effect: 'NoExecute', timeAdded: now }];
}

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key, operator = 'Equal', value = '', effect } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return Boolean(key) && operator === 'Equal' && value === (taint.value ?? '');
}

/**
 * How long a pod may stay where these taints drive pods away, in milliseconds from when it was first exposed to them:
 * infinitely if it tolerates all of them without a limit.
 */
export function toleratedMs(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  const limits = taints.map((taint) => {
    const used = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (used.length === 0) return 0;
    return Math.min(...used.map(({ tolerationSeconds }) => limitMs(tolerationSeconds)));
  });
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}

function limitMs(tolerationSeconds: number | undefined): number {
  if (tolerationSeconds === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, tolerationSeconds) * 1000;
}
