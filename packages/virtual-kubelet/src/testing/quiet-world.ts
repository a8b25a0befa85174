import {
  ForeignCluster,
  forgeCustomResourceDefinition,
  NamespaceMap,
  ShadowPod,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import {
  type Informer,
  type ReconcileContext,
  type RecordedEvent,
  silentLogger,
  startInformer,
} from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { refuseCarelessWrites } from '@liqo/testkit/faults';
import type { KubeletContext } from '../kubelet-context.ts';

/** For a part of a virtual kubelet alone: nobody does anything but the test and the function that it calls. */
export interface QuietWorld
  extends AsyncDisposable,
    Pick<TestCluster, 'admin' | 'faults' | 'clock'> {
  /** Of `mynode`. Here, consumer and provider are one cluster. */
  readonly context: KubeletContext;
  readonly client: Client;
  readonly events: readonly RecordedEvent[];
  /** Remembers what is said to be written. */
  readonly run: ReconcileContext;
  readonly written: readonly Stored<KubeObject>[];
  /** A cache that shows everything as it is now, whatever happens from now on. */
  cacheOf<T extends KubeObject>(kind: Kind<T>): Promise<Informer<T>>;
}

export async function startQuietWorld(): Promise<QuietWorld> {
  const cluster = await startTestCluster({ namespaces: ['shop', 'shop-rome'] });
  const { admin, faults, clock, random } = cluster;
  for (const kind of [ForeignCluster, NamespaceMap, ShadowPod, VirtualNode]) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await clock.settle();
  const client = cluster.clientOf('kubelet');
  const written: Stored<KubeObject>[] = [];
  const events: RecordedEvent[] = [];
  const log = silentLogger;
  const { signal } = new AbortController();
  return {
    admin,
    faults,
    clock,
    client,
    events,
    written,
    run: { signal, log, wrote: (_cache, object) => written.push(object) },
    context: {
      local: client,
      virtualNode: { namespace: 'shop', name: 'mynode' },
      kubeconfigSecretName: 'to-milan',
      consumerClusterID: 'rome',
      providerClusterID: 'milan',
      clock,
      random,
      log,
      events: {
        record: (event) => events.push(event),
        [Symbol.asyncDispose]: async () => undefined,
      },
      connectProvider: async () => client,
    },
    async cacheOf(kind) {
      const cache = startInformer({ client: admin, kind, clock, random, log });
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
