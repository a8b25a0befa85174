import type { Stoppable } from '@liqo/runtime';
import { Reviewer } from './server/answer-review.ts';
import { type RulesOptions, startRules } from './start-rules.ts';

/** Answers reviews by all rules of admission, without a server. */
export interface RunningReviewer {
  readonly reviewer: Reviewer;
  /** What the rules decide by. */
  readonly caches: readonly Stoppable[];
}

export function startReviewer(options: RulesOptions): RunningReviewer {
  const { clock, log } = options;
  const { rules, caches } = startRules(options);
  return { reviewer: new Reviewer({ rules, clock, log }), caches: caches.map(asPart) };
}

type Cache = AsyncDisposable & {
  readonly kind: { readonly plural: string };
  readonly hasSynced: boolean;
};

/** Rules that decide without a complete cache would find no Quota, and no consumer that has authenticated itself. */
function asPart(cache: Cache): Stoppable {
  return {
    whyNotReady: () =>
      cache.hasSynced ? undefined : `waiting for the cache of ${cache.kind.plural}`,
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}
