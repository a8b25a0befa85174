import type { Random } from '@liqo/kube';

export interface BackoffPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** How much of a wait is left to chance, so that what failed together does not come back together. */
const spread = 0.2;

/** The wait after `failures` earlier failures in a row: it doubles each time, shortened by chance, never over the longest. */
export function backoffMs(policy: BackoffPolicy, failures: number, random: Random): number {
  const growingMs = Math.min(policy.longestMs, policy.firstMs * 2 ** failures);
  return growingMs * (1 - spread * random());
}
