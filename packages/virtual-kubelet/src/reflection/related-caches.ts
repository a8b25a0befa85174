/** Caches of other objects, on which the copies of a kind depend: nothing is decided before they have synced. */
export interface RelatedCaches extends AsyncDisposable {
  readonly hasSynced: boolean;
  /** Rejects when it is disposed of before. */
  synced(): Promise<void>;
}
