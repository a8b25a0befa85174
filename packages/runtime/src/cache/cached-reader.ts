import type { KubeObject, ObjectKey, Stored } from '@liqo/kube';

/**
 * What a controller reads: a copy of part of the cluster, in memory, a moment behind the truth.
 *
 * - **Not in the cache is not absent.** `undefined` may mean that the object does not exist, that it was created a moment
 *   ago, that it is outside of what this cache selects, or that the transform left it out. It is good enough to do
 *   nothing, or to create (the server refuses a second one). Before anything is deleted, emptied or released because
 *   something is gone, ask the server with `confirmAbsent`.
 * - Objects are shared by everybody who reads: never change one. Copy what is to be changed.
 * - A cache that never saw a complete list has nothing to say: reading it throws.
 */
export interface CachedReader<T extends KubeObject, I extends string = never> {
  get(key: ObjectKey): Stored<T> | undefined;
  /** Everything, or everything in one namespace. */
  list(namespace?: string): readonly Stored<T>[];
  /** How many there are in one namespace; costs the same however many. */
  count(namespace: string): number;
  /** The objects for which the index of this name gave this value. */
  byIndex(index: I, value: string): readonly Stored<T>[];
}
