import type { ApiCall, ExtraWrite, Recording } from '@liqo/testkit/faults';
import type { Acquaintance } from '../world/blueprint.ts';
import type { SimulatedWorld } from '../world/simulated-world.ts';

/** What people do in a world from beginning to end, to be played undisturbed and then with a mishap at every write. */
export interface Story {
  /** `offloading` */
  readonly name: string;
  /** How its two clusters, `rome` and `milan`, stand to each other at the beginning. */
  readonly acquaintance: Acquaintance;
  /** Whose deaths are tried. */
  readonly processes: readonly string[];
  /** Whether only some of its mishaps are tried for every commit. */
  readonly isLong: boolean;
  readonly play: (world: SimulatedWorld) => Promise<Recording>;
  /**
   * Every write that a mishap costs, with the mishaps that cost it. All other sites of the story cost none. `any` where it depends on
   * the moment what processes report meanwhile: then the scenes and the end of the story are judged.
   */
  readonly extraWrites: readonly ExtraWrite[] | 'any';
  /** Writes with the same description are the same. */
  readonly describeWrite: (call: ApiCall) => string;
}
