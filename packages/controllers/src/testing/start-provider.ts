import { allKinds, forgeCustomResourceDefinition, labels, NamespaceMap } from '@liqo/api';
import { CustomResourceDefinition, mergePatch, Namespace } from '@liqo/kube';
import { SharedInformers, silentLogger, startEventRecorder } from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { isWatch } from '@liqo/testkit/faults';
import { startNamespaceMapController } from '../namespaces/namespace-map-controller.ts';
import { startShadowEndpointSliceController } from '../shadow-endpoint-slices/shadow-endpoint-slice-controller.ts';
import { startShadowPodController } from '../shadow-pods/shadow-pod-controller.ts';
import { controllersIdentity, installRights } from './installation.ts';

interface ProviderOptions {
  /** The namespaces that were made for each consumer. */
  readonly consumers: Readonly<Record<string, readonly string[]>>;
  /** What a call of the controllers takes. */
  readonly callMs: number;
}

/** A provider on a virtual clock, with the controllers that serve consumers. */
export async function startProvider({ consumers, callMs }: ProviderOptions): Promise<TestCluster> {
  const tenants = Object.keys(consumers).map(tenantNamespace);
  const namespaces = [...tenants, ...Object.values(consumers).flat()];
  const world = await startTestCluster({ namespaces });
  const { admin, clock, faults } = world;
  for (const kind of allKinds) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await installRights(admin, 'milan');
  for (const [consumer, made] of Object.entries(consumers)) await introduce(world, consumer, made);
  await clock.settle();
  faults.plan = (call) => (isWatch(call) ? undefined : { requestTakesMs: callMs });
  const running = startControllers(world);
  await clock.advance(1_000);
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      const ended = Promise.all(running.map((part) => part[Symbol.asyncDispose]()));
      await clock.advance(20_000);
      await ended;
      await world[Symbol.asyncDispose]();
    },
  };
}

export function tenantNamespace(consumer: string): string {
  return `liqo-tenant-${consumer}`;
}

function startControllers(world: TestCluster): readonly AsyncDisposable[] {
  const { clock, random } = world;
  const client = world.clientWithRightsOf(controllersIdentity, 'controllers');
  const shared = { client, clock, random, log: silentLogger };
  const reporter = { controller: 'liqo.io/controller-manager', instance: 'test' };
  const context = {
    ...shared,
    caches: new SharedInformers(shared),
    clusterID: 'milan',
    liqoNamespace: 'liqo',
    events: startEventRecorder({ ...shared, reporter }),
    connectPeer: async () => client,
  };
  return [
    startNamespaceMapController(context, { podSecurity: 'baseline' }),
    startShadowPodController(context),
    startShadowEndpointSliceController(context),
    context.events,
  ];
}

async function introduce(
  { admin }: TestCluster,
  consumer: string,
  made: readonly string[],
): Promise<void> {
  const label = (name: string, marks: Record<string, string>) =>
    admin.patch(Namespace, { name }, mergePatch({ metadata: { labels: marks } }));
  const ofConsumer = { [labels.remoteClusterID]: consumer };
  const namespace = tenantNamespace(consumer);
  await label(namespace, { ...ofConsumer, [labels.tenantNamespace]: 'true' });
  for (const name of made) await label(name, ofConsumer);
  const marks = { [labels.replicated]: 'true', [labels.replicationOrigin]: consumer };
  const metadata = { namespace, name: 'milan', labels: marks };
  await admin.create(NamespaceMap, { metadata, spec: { desiredMapping: {} } });
}
