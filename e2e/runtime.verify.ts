import { type Client, ConfigMap, Lease, Namespace, type Stored } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import {
  silentLogger,
  startInformer,
  startLeaderElection,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { eventually, seededRandom } from '@liqo/testkit';
import { type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const surroundings = { clock: systemClock, random: systemRandom, log: silentLogger };

describe('the runtime on a real Kubernetes', () => {
  let cluster: RealCluster;
  let client: Client;

  beforeAll(async () => {
    // Every fiftieth answer tells the client to open a new connection, as behind a load balancer.
    cluster = await startRealCluster({ apiServerFlags: { 'goaway-chance': '0.02' } });
    client = await connect();
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  function connect(): Promise<Client> {
    const config = parseKubeconfig(cluster.kubeconfigText, cluster.kubeconfig);
    return connectKubeconfig(config, surroundings);
  }

  async function freshNamespace(): Promise<string> {
    const made = await client.create(Namespace, { metadata: { generateName: 'runtime-' } });
    return made.metadata.name;
  }

  async function expectSameAsServer(
    cached: readonly Stored<ConfigMap>[],
    namespace: string,
  ): Promise<void> {
    const { items } = await client.list(ConfigMap, { namespace });
    const versions = (objects: readonly Stored<ConfigMap>[]) =>
      objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
    expect(versions(cached)).toEqual(versions(items));
  }

  test('Informer keeps up with eight writers while the API server restarts twice', async () => {
    const namespace = await freshNamespace();
    await using informer = startInformer({
      ...surroundings,
      client,
      kind: ConfigMap,
      selection: { namespace },
    });
    const history = new Map<string, string[]>();
    informer.subscribe({
      onAdd: ({ metadata }) => note(history, metadata.name, 'add'),
      onUpdate: (_, { metadata }) => note(history, metadata.name, 'update'),
      onDelete: ({ metadata }) => note(history, metadata.name, 'delete'),
    });
    await informer.synced();

    const writers = Array.from({ length: 8 }, (_, i) => write(client, namespace, i));
    await cluster.restartApiServer();
    await cluster.restartApiServer();
    await Promise.all(writers);

    await eventually(() => expectSameAsServer(informer.list(), namespace), { timeoutMs: 60_000 });
    for (const [name, events] of history) {
      expect(events.join(' '), name).toMatch(/^add( update)*( delete( add( update)*)?)*$/);
    }
  });

  test('startLeaderElection() has one leader at a time through restarts and resignations', async () => {
    const lease = { namespace: await freshNamespace(), name: 'election' };
    const leading = new Set<string>();
    let most = 0;
    const candidates = await Promise.all(
      ['a', 'b', 'c'].map(async (identity) => {
        const own = await connect();
        const election = startLeaderElection({
          ...surroundings,
          client: own,
          lease,
          identity,
          leaseDurationMs: 3_000,
          renewDeadlineMs: 2_000,
          retryPeriodMs: 300,
          onStartedLeading: async (signal) => {
            leading.add(identity);
            most = Math.max(most, leading.size);
            await new Promise((resolve) =>
              signal.addEventListener('abort', resolve, { once: true }),
            );
            leading.delete(identity);
          },
        });
        return { identity, own, election };
      }),
    );

    const stand = new Map(candidates.map((candidate) => [candidate.identity, candidate]));
    for (let left = candidates.length; left > 0; left--) {
      const leader = await eventually(
        () => {
          expect(leading.size).toBe(1);
          return [...leading][0] ?? '';
        },
        { timeoutMs: 60_000 },
      );
      if (left === candidates.length) await cluster.restartApiServer();
      const resigning = stand.get([...leading][0] ?? leader);
      await resigning?.election[Symbol.asyncDispose]();
      await resigning?.own[Symbol.asyncDispose]();
      if (resigning) stand.delete(resigning.identity);
    }
    expect(most).toBe(1);
    const final = await client.get(Lease, lease);
    expect(final?.spec?.leaseTransitions).toBeGreaterThanOrEqual(2);
  });
});

function note(history: Map<string, string[]>, name: string, event: string): void {
  history.set(name, [...(history.get(name) ?? []), event]);
}

/** A hundred and fifty writes on twenty names of its own; what fails because the server is away is tried again. */
async function write(client: Client, namespace: string, writer: number): Promise<void> {
  const random = seededRandom(writer);
  for (let i = 0; i < 150; i++) {
    const name = `writer-${writer}-${Math.floor(random() * 20)}`;
    const remove = random() < 0.3;
    await eventually(
      async () => {
        const key = { namespace, name };
        const current = await client.get(ConfigMap, key);
        if (remove) return current && client.delete(ConfigMap, key);
        const data = { writtenBy: `${writer}`, round: `${i}` };
        return client.apply(
          ConfigMap,
          { metadata: key, data },
          { fieldManager: 'writer', force: true },
        );
      },
      { timeoutMs: 30_000 },
    );
  }
}
