import { deepEqual } from '@liqo/kube';
import type { Toleration } from 'kubernetes-types/core/v1.d.ts';

/** All of both, without those that another one makes superfluous. */
export function mergeTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCovered = merged.some((other) => covers(other, toleration));
    const later = all.slice(index + 1).filter((other) => !deepEqual(other, toleration));
    if (!isCovered && !later.some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether the wider one tolerates everything that the other one does. */
function covers(wider: Toleration, other: Toleration): boolean {
  if (deepEqual(wider, other)) return true;
  const isForAllKeys = !wider.key && wider.operator === 'Exists';
  if ((other.key ?? '') !== (wider.key ?? '') && !isForAllKeys) return false;
  if (wider.effect && other.effect !== wider.effect) return false;
  if (!lastsAsLong(wider, other)) return false;
  if (wider.operator === 'Exists') return true;
  return other.operator === 'Equal' && (other.value ?? '') === (wider.value ?? '');
}

function lastsAsLong(wider: Toleration, other: Toleration): boolean {
  if (wider.effect !== 'NoExecute' || wider.tolerationSeconds === undefined) return true;
  const { tolerationSeconds } = other;
  return tolerationSeconds !== undefined && tolerationSeconds <= wider.tolerationSeconds;
}
