import type { Recording, Scene } from '@liqo/testkit/faults';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import { takeHistory } from './take-history.ts';
import { takeScene } from './take-scene.ts';

/** What somebody does, and when it is done. */
export interface Chapter {
  /** After "until". */
  readonly done: string;
  readonly act: (world: SimulatedWorld) => Promise<unknown>;
  readonly isDone: (world: SimulatedWorld) => Promise<boolean>;
  /** Worth a look when everything has come to rest. */
  readonly isScene?: boolean;
}

/** One chapter after the other; gives back what there was at its scenes, and in the end what had been made. */
export async function playChapters(
  world: SimulatedWorld,
  chapters: readonly Chapter[],
  options: { readonly isSteady: boolean } = { isSteady: true },
): Promise<Recording> {
  const scenes: Scene[] = [];
  for (const { done, act, isDone, isScene = false } of chapters) {
    await world.answer(act(world));
    await world.until(done, () => isDone(world));
    if (!isScene) continue;
    await world.settle();
    scenes.push(await takeScene(world, done, options));
  }
  const [denial] = world.denials;
  if (denial !== undefined) throw new Error(`The product lacks a right ${denial}`);
  scenes.push(takeHistory(world, options));
  return scenes;
}
