import type { Pod } from '@liqo/kube';
import type { Rejection } from './plugin.ts';

/** Why no node will do, as kube-scheduler tells people. */
export function describeMisfit(
  pod: Pod,
  rejections: readonly Rejection[],
  refusal?: string,
): string {
  if (rejections.length === 0) return 'no nodes available to schedule pods';
  const nodes = rejections.length;
  // The plugin for device claims was not prepared when another one refused the pod: this is what it says then.
  if (refusal !== undefined) return `0/${nodes} nodes are available: ${refusal}. not found`;
  const reasons = rejections.flatMap((rejection) => rejection.reasons);
  const misfit = countReasons(reasons, nodes);
  return `${misfit} ${noClaims}, preemption: ${describePreemption(pod, rejections)}`;
}

/** What the plugin for device claims, asked before preemption, says of a pod without any. */
const noClaims = 'no new claims to deallocate';

/** Nobody is preempted here, so nobody ever was found whom it would help to. */
function describePreemption(pod: Pod, rejections: readonly Rejection[]): string {
  if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const reasons = rejections.map(({ resolvable }) =>
    resolvable
      ? 'No preemption victims found for incoming pod'
      : 'Preemption is not helpful for scheduling',
  );
  return countReasons(reasons, rejections.length);
}

/** The counts are sorted as texts: 10 comes before 2. */
function countReasons(reasons: readonly string[], nodes: number): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const lines = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodes} nodes are available: ${lines.join(', ')}.`;
}
