import type { WorldCluster } from './kubernetes.ts';
import type { World } from './world.ts';

/** One thing that happens in a world, in words and in deed. */
export interface Step<C extends WorldCluster<C>> {
  /** What is done, after "Cannot": `start the clusters "rome" and "milan"`. */
  readonly name: string;
  /** What there is when it is done. */
  readonly done: string;
  /** What to do when it fails. */
  readonly hint: string;
  run(world: World<C>, signal: AbortSignal): Promise<void>;
}

export const slowHint =
  'The machine may be busy: close what else runs on it, and try again; if it stays so, please report it';
