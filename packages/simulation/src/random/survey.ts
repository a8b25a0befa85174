import type { Kind, KubeObject, Stored } from '@liqo/kube';
import type { SimulatedWorld } from '../world/simulated-world.ts';

/** Everything that is in a cluster at a moment. */
export class Survey {
  readonly cluster: string;
  readonly #collections: ReadonlyMap<string, ReadonlyMap<string, Stored<KubeObject>>>;

  constructor(
    cluster: string,
    collections: ReadonlyMap<string, ReadonlyMap<string, Stored<KubeObject>>>,
  ) {
    this.cluster = cluster;
    this.#collections = collections;
  }

  all<T extends KubeObject>(kind: Kind<T>): readonly Stored<T>[] {
    const { group, plural } = kind;
    const found = this.#collections.get(group ? `${plural}.${group}` : plural);
    return [...(found?.values() ?? [])] as Stored<KubeObject>[] as Stored<T>[];
  }

  /** Names of everything: `pods shop/web`. What comes and goes by itself is not counted. */
  inventory(): ReadonlySet<string> {
    const names = [...this.#collections].flatMap(([kind, objects]) =>
      fleeting.test(kind) ? [] : [...objects.keys()].map((key) => `${kind} ${key}`),
    );
    return new Set(names);
  }
}

const fleeting = /^(events|leases|controllerrevisions)/;

export function surveyCluster(world: SimulatedWorld, name: string): Survey {
  const { collections } = world.cluster(name).cluster.snapshot().store;
  return new Survey(name, collections);
}
