import { forgeCustomResourceDefinition, type Resource } from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  type Selection,
} from '@liqo/kube';
import { type Informer, silentLogger, startInformer } from '@liqo/runtime';
import { startTestCluster } from '@liqo/testkit/cluster';
import { type FaultyCalls, refuseCarelessWrites } from '@liqo/testkit/faults';

/** A cluster in which nobody does anything but the test and the function that it calls. */
export interface QuietWorld extends AsyncDisposable {
  /** Whose calls are not seen and never go wrong: for tests to look and meddle. */
  readonly admin: Client;
  /** For what is tested. */
  readonly client: Client;
  readonly faults: FaultyCalls;
  /** As it is now, or of what is selected. */
  cacheOf<T extends KubeObject>(kind: Kind<T>, selection?: Selection): Promise<Informer<T>>;
}

export async function startQuietWorld(
  namespace: string,
  kinds: readonly Resource[] = [],
): Promise<QuietWorld> {
  const cluster = await startTestCluster({ namespaces: [namespace] });
  const { admin, faults, clock, random } = cluster;
  for (const kind of kinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await clock.settle();
  const client = cluster.clientOf('controller');
  const caches: AsyncDisposable[] = [];
  return {
    admin,
    client,
    faults,
    cacheOf: async (kind, selection = {}) => {
      const shared = { client: admin, clock, random, log: silentLogger };
      const cache = startInformer({ ...shared, kind, selection });
      caches.push(cache);
      await cache.synced();
      return cache;
    },
    async [Symbol.asyncDispose]() {
      for (const cache of caches) await cache[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
      refuseCarelessWrites(faults.calls);
    },
  };
}
