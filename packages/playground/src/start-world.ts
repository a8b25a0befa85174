import type { Kubernetes, WorldCluster } from './kubernetes.ts';
import { planSteps } from './steps.ts';
import type { Wish } from './wish.ts';
import { World } from './world.ts';

export interface WorldOptions<C extends WorldCluster<C>> extends Wish {
  readonly kubernetes: Kubernetes<C>;
  readonly signal?: AbortSignal;
}

/** Resolves when all that was wished for is there and ready; when something fails, nothing is left. */
export async function startWorld<C extends WorldCluster<C>>({
  kubernetes,
  signal = new AbortController().signal,
  ...wish
}: WorldOptions<C>): Promise<World<C>> {
  const world = new World(kubernetes);
  try {
    for (const step of planSteps<C>(wish)) {
      signal.throwIfAborted();
      await step.run(world, signal);
    }
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}
