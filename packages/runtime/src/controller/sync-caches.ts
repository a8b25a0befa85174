import type { Clock } from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import type { SyncingCache } from './source.ts';

interface SyncPatience {
  readonly clock: Clock;
  readonly log: Logger;
  /** After how long, and then how often, caches that have not synced are named in the log. */
  readonly complainEveryMs: number;
}

export function unsyncedKinds(caches: Iterable<SyncingCache>): readonly string[] {
  return [...caches].filter((cache) => !cache.hasSynced).map((cache) => cache.kind.kind);
}

/** Resolves when all are complete, however long that takes; rejects when the signal aborts or a cache is stopped. */
export async function syncCaches(
  caches: readonly SyncingCache[],
  patience: SyncPatience,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, complainEveryMs } = patience;
  const complain = () => {
    timer = clock.after(complainEveryMs, complain);
    log.warn('Still waiting for caches', { kinds: unsyncedKinds(caches) });
  };
  let timer = clock.after(complainEveryMs, complain);
  try {
    for (const cache of caches) await cache.synced(signal);
  } finally {
    timer.cancel();
  }
}
