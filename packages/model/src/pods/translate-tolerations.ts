import { virtualNodeTaint } from '@liqo/api';
import { deepEqual } from '@liqo/kube';
import type { Toleration } from './pod-spec.ts';

/** Those of the pod without the one that brought it to the virtual node, then those of the patch. */
export function translateTolerations(
  own: readonly Toleration[] = [],
  added: readonly Toleration[] = [],
): Toleration[] {
  return mergeTolerations(
    own.filter(({ key }) => key !== virtualNodeTaint.key),
    added,
  );
}

/** A pod can only gain tolerations; of those that it has, nothing but the seconds can change. */
export function mergeTolerations(
  present: readonly Toleration[],
  wanted: readonly Toleration[],
): Toleration[] {
  const kept = present.map((one) => wanted.find((other) => isSame(one, other)) ?? one);
  const gained = wanted.filter((one) => !present.some((other) => isSame(one, other)));
  return [...kept, ...gained];
}

function isSame(
  { tolerationSeconds: _, ...one }: Toleration,
  { tolerationSeconds: __, ...other }: Toleration,
): boolean {
  return deepEqual(one, other);
}
