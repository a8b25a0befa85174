import type { Kubernetes, WorldCluster } from './kubernetes.ts';

/** Clusters that belong together. Disposed, also while they start, nothing of them is left. */
export class World<C extends WorldCluster<C>> implements AsyncDisposable {
  readonly kubernetes: Kubernetes<C>;
  readonly #starting: Promise<C>[] = [];
  readonly #started = new Map<string, C>();

  constructor(kubernetes: Kubernetes<C>) {
    this.kubernetes = kubernetes;
  }

  /** In the order in which they were asked for. */
  get clusters(): readonly C[] {
    return [...this.#started.values()];
  }

  /** Throws for a cluster that has not started. */
  cluster(name: string): C {
    const cluster = this.#started.get(name);
    if (cluster) return cluster;
    throw new Error(`Cannot find cluster "${name}": it has not been started`);
  }

  async start(names: readonly string[], signal?: AbortSignal): Promise<void> {
    const starting = names.map((name) => this.kubernetes.startCluster(name, signal));
    this.#starting.push(...starting);
    for (const cluster of await Promise.all(starting)) this.#started.set(cluster.name, cluster);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const results = await Promise.allSettled(this.#starting.splice(0));
    this.#started.clear();
    const clusters = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (clusters.length > 0) await this.kubernetes.endProduct?.();
    await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
  }
}
