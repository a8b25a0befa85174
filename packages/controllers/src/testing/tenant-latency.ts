import { labels, NamespaceMap, ShadowPod } from '@liqo/api';
import { formatTime, mergePatch, Pod, type Stored } from '@liqo/kube';
import { silentLogger, startInformer } from '@liqo/runtime';
import type { TestCluster } from '@liqo/testkit/cluster';
import { tenantNamespace } from './start-provider.ts';

/** How long things of a consumer took, in virtual milliseconds since the consumer asked for them. */
export interface TenantLatency {
  /** From a ShadowPod to its pod. */
  readonly pods: readonly number[];
  /** From a ShadowPod to its phase `Running`. The node takes no time. */
  readonly phases: readonly number[];
  /** From an entry of the NamespaceMap to its phase `Accepted`. */
  readonly namespaces: readonly number[];
}

interface Probe {
  readonly consumer: string;
  readonly namespace: string;
  readonly samples: number;
  readonly everyMs: number;
  /** Before each sample but the first. */
  readonly meanwhile?: () => Promise<void>;
}

/** Asks for a pod and a namespace now and then, and waits four seconds for the last ones. */
export async function measureLatency(world: TestCluster, probe: Probe): Promise<TenantLatency> {
  const { admin, clock } = world;
  const { consumer, namespace, samples, everyMs, meanwhile } = probe;
  const watch = new LatencyWatch(world);
  const start = clock.monotonicMs();
  await watch.start(namespace);
  for (let i = 0; i < samples; i++) {
    if (i > 0) await meanwhile?.();
    const name = `probe-${start}-${i}`;
    watch.note(name);
    await admin.create(ShadowPod, shadowPod(consumer, { namespace, name }));
    await wantNamespaces(world, consumer, { [name]: `${name}-${consumer}` });
    await clock.advance(everyMs);
  }
  await clock.advance(4_000);
  return watch.end();
}

export function shadowPod(consumer: string, key: { namespace: string; name: string }): ShadowPod {
  return {
    metadata: { ...key, labels: { [labels.origin]: consumer } },
    spec: { pod: { containers: [{ name: 'web', image: 'nginx' }] } },
  };
}

/** Besides those that it wants already. */
export async function wantNamespaces(
  { admin }: TestCluster,
  consumer: string,
  desiredMapping: Readonly<Record<string, string>>,
): Promise<void> {
  const key = { namespace: tenantNamespace(consumer), name: 'milan' };
  await admin.patch(NamespaceMap, key, mergePatch({ spec: { desiredMapping } }));
}

class LatencyWatch {
  readonly #world: TestCluster;
  readonly #asked = new Map<string, number>();
  readonly #took = {
    pods: new Map<string, number>(),
    phases: new Map<string, number>(),
    namespaces: new Map<string, number>(),
  };
  #informers: readonly AsyncDisposable[] = [];

  constructor(world: TestCluster) {
    this.#world = world;
  }

  async start(namespace: string): Promise<void> {
    const { admin: client, clock, random } = this.#world;
    const shared = { client, clock, random, log: silentLogger };
    const selection = { namespace };
    const pods = startInformer({ ...shared, kind: Pod, selection });
    const shadowPods = startInformer({ ...shared, kind: ShadowPod, selection });
    const maps = startInformer({ ...shared, kind: NamespaceMap });
    pods.subscribe({ onAdd: (pod) => this.#seePod(pod) });
    shadowPods.subscribe({
      onUpdate: (_, { metadata, status }) => {
        if (status?.phase === 'Running') this.#see('phases', metadata.name);
      },
    });
    maps.subscribe({
      onUpdate: (_, { status }) => {
        for (const [local, { phase }] of Object.entries(status?.currentMapping ?? {})) {
          if (phase === 'Accepted') this.#see('namespaces', local);
        }
      },
    });
    await Promise.all([pods.synced(), shadowPods.synced(), maps.synced()]);
    this.#informers = [pods, shadowPods, maps];
  }

  note(name: string): void {
    this.#asked.set(name, this.#world.clock.monotonicMs());
  }

  async end(): Promise<TenantLatency> {
    for (const informer of this.#informers) await informer[Symbol.asyncDispose]();
    const { pods, phases, namespaces } = this.#took;
    return {
      pods: [...pods.values()],
      phases: [...phases.values()],
      namespaces: [...namespaces.values()],
    };
  }

  #seePod(pod: Stored<Pod>): void {
    if (!this.#asked.has(pod.metadata.name)) return;
    this.#see('pods', pod.metadata.name);
    void startPod(this.#world, pod);
  }

  #see(what: keyof TenantLatency, name: string): void {
    const askedMs = this.#asked.get(name);
    const took = this.#took[what];
    if (askedMs === undefined || took.has(name)) return;
    took.set(name, this.#world.clock.monotonicMs() - askedMs);
  }
}

async function startPod({ admin, clock }: TestCluster, { metadata }: Stored<Pod>): Promise<void> {
  const running = { startedAt: formatTime(clock.now()) };
  const container = { name: 'web', image: 'nginx', imageID: '', ready: true, restartCount: 0 };
  const status = { phase: 'Running', containerStatuses: [{ ...container, state: { running } }] };
  await admin.patch(Pod, metadata, mergePatch({ status }), { subresource: 'status' });
}
