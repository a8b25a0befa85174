import type { Verdict } from '../review/verdict.ts';

/** Where facts are read: in the caches, or at the API server. */
export type Source = 'cached' | 'live';

/** What the caches refuse is judged again by what the API server has: they may be behind. */
export async function judgeTwice(judge: (source: Source) => Promise<Verdict>): Promise<Verdict> {
  const verdict = await judge('cached');
  return verdict.allowed ? verdict : judge('live');
}
