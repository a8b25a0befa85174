import { forgeCustomResourceDefinition, type Resource } from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import {
  type Informer,
  type InformerOptions,
  type ReconcileContext,
  silentLogger,
  startInformer,
} from '@liqo/runtime';
import type { VirtualClock } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { type FaultyCalls, refuseCarelessWrites } from '@liqo/testkit/faults';

type CacheOptions<T extends KubeObject, I extends string> = Pick<
  InformerOptions<T, I>,
  'selection' | 'indexes'
>;

/** A cluster in which nobody does anything but the test and the function that it calls. */
export interface QuietWorld extends AsyncDisposable {
  readonly clock: VirtualClock;
  /** Whose calls are not seen and never go wrong: for tests to look and meddle. */
  readonly admin: Client;
  /** For what is tested. */
  readonly client: Client;
  readonly faults: FaultyCalls;
  /** For what is tested, too: it remembers what is said to be written. */
  readonly run: ReconcileContext;
  readonly written: readonly Stored<KubeObject>[];
  /** A cache that shows everything as it is now, whatever happens from now on. */
  cacheOf<T extends KubeObject, I extends string = never>(
    kind: Kind<T>,
    options?: CacheOptions<T, I>,
  ): Promise<Informer<T, I>>;
}

/** Its end fails if one of the writes did not say what it has seen. */
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
  const written: Stored<KubeObject>[] = [];
  const { signal } = new AbortController();
  return {
    clock,
    admin,
    client: cluster.clientOf('controller'),
    faults,
    run: { signal, log: silentLogger, wrote: (_cache, object) => written.push(object) },
    written,
    async cacheOf(kind, options = {}) {
      const shared = { client: admin, clock, random, log: silentLogger };
      const cache = startInformer({ ...shared, kind, ...options });
      await cache.synced();
      await cache[Symbol.asyncDispose]();
      return cache;
    },
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      refuseCarelessWrites(faults.calls);
    },
  };
}
