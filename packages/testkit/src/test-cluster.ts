import { Client, InProcessTransport, Namespace, type Random, ServiceAccount } from '@liqo/kube';
import { type Identity, type Minicluster, startMinicluster } from '@liqo/minicluster';
import { DeniedCalls } from './faults/denied-calls.ts';
import { FaultyCalls } from './faults/faulty-calls.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface TestClusterOptions {
  readonly clock?: VirtualClock;
  readonly seed?: number;
  /** Namespaces that are there from the start, with the service account that pods need. */
  readonly namespaces?: readonly string[];
}

/** A minicluster with nobody in it, on a clock that only the test moves; its calls can be seen and go wrong. */
export interface TestCluster extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly cluster: Minicluster;
  /** Under every client of the cluster but `admin`. */
  readonly faults: FaultyCalls;
  /** Somebody whose calls are not seen and never go wrong: for tests to look and meddle. */
  readonly admin: Client;
  /** A client on whose calls the faults act, and that may do everything. */
  clientOf(who: string): Client;
  /** A client on whose calls, made as `who`, the faults act, and that may do what the user may do. */
  clientWithRightsOf(user: Identity, who: string): Client;
  /** What clients with the rights of a user asked for in vain. */
  readonly denied: DeniedCalls;
}

const admin = { name: 'test', groups: ['system:masters'] };

export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const clock = options.clock ?? new VirtualClock();
  const random = seededRandom(options.seed ?? 1);
  const faults = new FaultyCalls({ clock });
  const denied = new DeniedCalls();
  /** Their calls meet the faults on their own way, under the name of the caller. */
  const users = new Set<string>([admin.name]);
  const cluster = await startMinicluster({
    clock,
    random,
    controllers: false,
    intercept: (call, handle) =>
      users.has(call.user) ? handle(call.request, call.signal) : faults.intercept(call, handle),
  });
  const world: TestCluster = {
    clock,
    random,
    cluster,
    faults,
    admin: cluster.clientFor(admin),
    clientOf: (name) => cluster.clientFor({ name, groups: ['system:masters'] }),
    clientWithRightsOf(user, who) {
      users.add(user.name);
      const serve = cluster.serverFor(user);
      const judged: typeof serve = (request, signal) =>
        denied.follow(request, serve(request, signal));
      const transport = new InProcessTransport(faults.before(judged, who));
      return new Client({ transport, clock, random, fieldManager: who });
    },
    denied,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
  for (const name of options.namespaces ?? []) await createNamespace(world.admin, name);
  faults.calls.length = 0;
  return world;
}

async function createNamespace(client: Client, name: string): Promise<void> {
  await client.create(Namespace, { metadata: { name } });
  await client.create(ServiceAccount, { metadata: { namespace: name, name: 'default' } });
}
