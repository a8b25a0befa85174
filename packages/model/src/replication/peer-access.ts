/**
 * How a peer answers to our credentials: it lets us, it knows us and refuses (a drained tenant), it does not know us
 * (revoked or expired credentials), or there is no answer to conclude from.
 */
export type PeerAccess = 'granted' | 'forbidden' | 'unauthorized' | 'unknown';

/** How long an expired certificate or token has to be renewed. */
const unauthorizedMs = 15 * 60_000;

/**
 * Whether what is left at a peer is given up, so that nothing in this cluster is held for it. `waitedMs` is the time since
 * the deletion in this cluster was asked for.
 *
 * A peer that forbids has drained us, and removes what was ours by itself. One that does not answer is given up by a
 * person only.
 */
export function isGivenUp(access: PeerAccess, waitedMs: number): boolean {
  if (access === 'forbidden') return true;
  return access === 'unauthorized' && waitedMs >= unauthorizedMs;
}
