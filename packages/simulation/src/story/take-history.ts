import { annotations } from '@liqo/api';
import type { Json } from '@liqo/kube';
import type { Scene } from '@liqo/testkit/faults';
import type { Creation } from '../world/journal.ts';
import type { SimulatedWorld } from '../world/simulated-world.ts';

/**
 * How many objects were made in which collection, and how many pods ran over there for one of ours. In a story that is not the same at
 * every moment, some objects are made once more.
 */
export function takeHistory(
  world: SimulatedWorld,
  { isSteady }: { readonly isSteady: boolean },
): Scene {
  const objects = [...world.clusters.values()].flatMap(({ name, journal }) => [
    ...tally(isSteady ? journal.creations.map(({ collection }) => collection) : []).map(
      ([what, count]) => ({ name: `${name} made in ${what}`, content: count as Json }),
    ),
    ...tally(remotePods(journal.creations)).map(([, count]) => ({
      name: `${name} pods made for one of ours`,
      content: count as Json,
    })),
  ]);
  return { name: 'all is over', objects };
}

/** The UID at home of every pod that was made over there. */
function remotePods(creations: readonly Creation[]): readonly string[] {
  return creations.flatMap(({ collection, object }) => {
    const uid = object.metadata.annotations?.[annotations.podUid];
    return collection.endsWith('/pods') && uid !== undefined ? [uid] : [];
  });
}

function tally(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
