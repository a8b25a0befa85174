/** Caches of other objects, on which the copies of a kind depend: nothing is decided before they have synced. */
export interface RelatedCaches extends AsyncDisposable {
  readonly hasSynced: boolean;
  /** Rejects when it is disposed of before. */
  synced(): Promise<void>;
  /** Names of objects of the consumer that are to be looked at even if neither they nor their copies exist. */
  readonly names?: () => readonly string[];
}

type Cache = Pick<RelatedCaches, 'hasSynced' | 'synced'>;

/** Several caches as one. What is disposed of with it may be more, or less, than the caches themselves. */
export function relatedCaches(
  caches: readonly Cache[],
  end: () => Promise<unknown>,
): RelatedCaches {
  return {
    get hasSynced() {
      return caches.every(({ hasSynced }) => hasSynced);
    },
    synced: async () => void (await Promise.all(caches.map((cache) => cache.synced()))),
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}
