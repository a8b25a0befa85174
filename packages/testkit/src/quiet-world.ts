import { forgeCustomResourceDefinition, type Resource } from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import type { Identity } from '@liqo/minicluster';
import {
  type EventRecorder,
  type Informer,
  type InformerOptions,
  type ReconcileContext,
  type RecordedEvent,
  silentLogger,
  startInformer,
} from '@liqo/runtime';
import { refuseCarelessWrites } from './faults/careless-writes.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

type CacheOptions<T extends KubeObject, I extends string> = Pick<
  InformerOptions<T, I>,
  'selection' | 'indexes'
>;

/** A cluster in which nobody does anything but the test and the function that it calls. */
export interface QuietWorld
  extends AsyncDisposable,
    Pick<TestCluster, 'admin' | 'faults' | 'clock' | 'random'> {
  /** For what is tested. */
  readonly client: Client;
  /** Remembers what it is told. */
  readonly recorder: EventRecorder;
  readonly events: readonly RecordedEvent[];
  /** For what is tested, too: it remembers what is said to be written. */
  readonly run: ReconcileContext;
  readonly written: readonly Stored<KubeObject>[];
  /** A cache that shows everything as it is now, whatever happens from now on. */
  cacheOf<T extends KubeObject, I extends string = never>(
    kind: Kind<T>,
    options?: CacheOptions<T, I>,
  ): Promise<Informer<T, I>>;
}

/** Whom the tested function is, and the objects that give it rights. */
export interface Rights {
  readonly user: Identity;
  readonly grant: (admin: Client) => Promise<void>;
}

const everything: Rights = {
  user: { name: 'tested', groups: ['system:masters'] },
  grant: async () => undefined,
};

/** Its end fails if one of the writes did not say what it has seen, or if a call was denied for lack of rights. */
export async function startQuietWorld(
  namespaces: readonly string[],
  kinds: readonly Resource[] = [],
  rights: Rights = everything,
): Promise<QuietWorld> {
  const cluster = await startTestCluster({ namespaces });
  const { admin, faults, clock, random } = cluster;
  for (const kind of kinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await rights.grant(admin);
  await clock.settle();
  const written: Stored<KubeObject>[] = [];
  const events: RecordedEvent[] = [];
  const { signal } = new AbortController();
  return {
    clock,
    random,
    admin,
    client: cluster.clientWithRightsOf(rights.user, 'tested'),
    faults,
    recorder: {
      record: (event) => events.push(event),
      [Symbol.asyncDispose]: async () => undefined,
    },
    events,
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
      cluster.denied.refuse();
    },
  };
}
