import { allKinds, forgeCustomResourceDefinition } from '@liqo/api';
import { type Client, CustomResourceDefinition, isConditionTrue } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import {
  SharedInformers,
  silentLogger,
  startEventRecorder,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { DeniedCalls, FaultyCalls, refuseCarelessWrites } from '@liqo/testkit/faults';
import type { ControllerContext } from '../controller-context.ts';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import {
  controllersIdentity,
  controllersUser,
  installRights,
  liqoNamespace,
} from './installation.ts';

export interface TestCluster extends AsyncDisposable {
  readonly cluster: Minicluster;
  /** The administrator, whose calls are not seen and never go wrong: for tests to look and meddle. */
  readonly client: Client;
  /** What is done to this cluster by its own controllers and by its peers. */
  readonly calls: FaultyCalls;
  /** As the controllers of this cluster have it. */
  readonly context: ControllerContext;
}

/** A cluster with our kinds and roles, and nothing of ours running in it but what grants rights in tenant namespaces. */
export async function startCluster(clusterID: string): Promise<TestCluster> {
  const clock = systemClock;
  const random = systemRandom;
  const log = silentLogger;
  const calls = new FaultyCalls({ clock });
  const denied = new DeniedCalls();
  const cluster = await startMinicluster({
    name: clusterID,
    clock,
    random,
    intercept: (call, handle) =>
      isStock(call.user)
        ? handle(call.request, call.signal)
        : calls.intercept(call, (request, signal) => {
            const answered = handle(request, signal);
            // Peers lose their rights in some tests.
            return call.user === controllersUser ? denied.follow(request, answered) : answered;
          }),
  });
  const { client } = cluster;
  await installKinds(client);
  await installRights(client, clusterID);
  const ours = cluster.clientFor(controllersIdentity);
  const reporter = { controller: 'liqo.io/controller-manager', instance: 'test' };
  const events = startEventRecorder({ client: ours, clock, random, log, reporter });
  const connectPeer = async (kubeconfig: string) =>
    connectKubeconfig(parseKubeconfig(kubeconfig, 'peer'), { clock, random });
  const context = {
    client: ours,
    caches: new SharedInformers({ client: ours, clock, random, log }),
    clusterID,
    liqoNamespace,
    clock,
    random,
    log,
    events,
    connectPeer,
  };
  const access = startTenantAccessController(context);
  return {
    cluster,
    client,
    calls,
    context,
    async [Symbol.asyncDispose]() {
      await access[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
      refuseCarelessWrites(calls.calls);
      denied.refuse();
    },
  };
}

/** Kubernetes itself and the administrator. */
function isStock(user: string): boolean {
  return user === 'kubernetes-admin' || (user.startsWith('system:') && user !== controllersUser);
}

export async function installKinds(client: Client): Promise<void> {
  for (const kind of allKinds) {
    await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await eventually(async () => {
    const { items } = await client.list(CustomResourceDefinition);
    const waiting = items.filter(
      ({ status }) => !isConditionTrue(status?.conditions, 'Established'),
    );
    if (waiting.length > 0) throw new Error(`${waiting.length} kinds are not served yet`);
  });
}
