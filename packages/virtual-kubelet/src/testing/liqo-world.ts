import {
  allKinds,
  forgeCustomResourceDefinition,
  labels,
  NamespaceMap,
  ShadowPod,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  findCondition,
  isConditionTrue,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Secret,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import {
  type RecordedEvent,
  type Stoppable,
  silentLogger,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { type LiqoProvider, startLiqoProvider } from '@liqo/testkit/cluster';
import { noAddresses } from '../addresses/address-source.ts';
import { startVirtualKubelet } from '../virtual-kubelet.ts';

const common = { clock: systemClock, random: systemRandom };
const tenantNamespace = 'liqo-tenant-milan';
const secretName = 'kubeconfig-mynode';

/** A virtual kubelet of `mynode` at the consumer rome, and the provider milan, which runs Liqo. */
export class LiqoWorld implements AsyncDisposable {
  readonly consumer: Minicluster;
  readonly milan: Minicluster;
  readonly liqo: LiqoProvider;
  readonly events: RecordedEvent[] = [];
  readonly #kubelet: Stoppable;

  constructor(consumer: Minicluster, milan: Minicluster, liqo: LiqoProvider) {
    this.consumer = consumer;
    this.milan = milan;
    this.liqo = liqo;
    this.#kubelet = this.#startKubelet();
  }

  #startKubelet(): Stoppable {
    return startVirtualKubelet({
      ...common,
      local: this.consumer.client,
      virtualNode: { namespace: tenantNamespace, name: 'mynode' },
      kubeconfigSecretName: secretName,
      liqoNamespace: 'liqo',
      consumerClusterID: 'rome',
      providerClusterID: 'milan',
      log: silentLogger,
      startEvents: () => ({
        record: (event) => this.events.push(event),
        [Symbol.asyncDispose]: async () => undefined,
      }),
      connectProvider: (text) => connectKubeconfig(parseKubeconfig(text, 'milan'), common),
      identity: 'kubelet',
      createNode: true,
      node: { address: '127.0.0.1', extras: { labels: {}, annotations: {} }, checkNetwork: false },
      podWorkers: 4,
      addresses: noAddresses,
    });
  }

  createPod(name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Promise<Stored<Pod>> {
    return this.consumer.client.create(Pod, {
      metadata: { namespace: 'shop', name },
      spec: {
        nodeName: 'mynode',
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'main', image: 'i' }],
        ...spec,
      },
    });
  }

  async runPods(names: readonly string[], spec: Partial<NonNullable<Pod['spec']>> = {}) {
    for (const name of names) await this.createPod(name, spec);
    await eventually(async () => {
      for (const name of names) {
        if ((await this.pod(name))?.status?.phase !== 'Running') throw new Error(`no ${name} yet`);
      }
    });
  }

  pod(name: string): Promise<Stored<Pod> | undefined> {
    return this.consumer.client.get(Pod, { namespace: 'shop', name });
  }

  remotePod(name: string): Promise<Stored<Pod> | undefined> {
    return this.milan.client.get(Pod, { namespace: 'shop-rome', name });
  }

  shadowPod(name: string): Promise<Stored<ShadowPod> | undefined> {
    return this.milan.client.get(ShadowPod, { namespace: 'shop-rome', name });
  }

  async condition(name: string, type: string) {
    return findCondition((await this.pod(name))?.status?.conditions, type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kubelet[Symbol.asyncDispose]();
    await this.liqo[Symbol.asyncDispose]();
    await this.consumer[Symbol.asyncDispose]();
    await this.milan[Symbol.asyncDispose]();
  }
}

export async function startLiqoWorld(): Promise<LiqoWorld> {
  const [consumer, milan] = await Promise.all([
    startMinicluster({ ...common, name: 'rome' }),
    startMinicluster({ ...common, name: 'milan', nodes: 1 }),
  ]);
  for (const { client } of [consumer, milan]) await installKinds(client);
  const marks = { [labels.remoteClusterID]: 'rome' };
  await createNamespace(milan.client, 'shop-rome', marks);
  const liqo = await startLiqoProvider(milan.client);
  await createNamespace(consumer.client, 'shop');
  await createNamespace(consumer.client, tenantNamespace);
  const kubeconfig = milan.kubeconfigFor({ name: 'rome', groups: ['system:masters'] });
  await prepareConsumer(consumer.client, kubeconfig);
  const world = new LiqoWorld(consumer, milan, liqo);
  await eventually(async () => {
    const node = await consumer.client.get(Node, { name: 'mynode' });
    const isReady = isConditionTrue(node?.status?.conditions, 'Ready');
    if (!isReady) throw new Error('The node is not ready');
  });
  return world;
}

async function prepareConsumer(client: Client, kubeconfig: string): Promise<void> {
  await client.create(Secret, {
    metadata: { namespace: tenantNamespace, name: secretName },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  });
  await client.create(VirtualNode, {
    metadata: { namespace: tenantNamespace, name: 'mynode' },
    spec: {
      clusterID: 'milan',
      kubeconfigSecretRef: { name: secretName },
      resourceQuota: { hard: { cpu: '20', memory: '40Gi', pods: '110' } },
    },
  });
  const key = { namespace: tenantNamespace, name: 'milan' };
  const metadata = { ...key, labels: { [labels.replicationDestination]: 'milan' } };
  const spec = { desiredMapping: { shop: 'shop-rome' } };
  await client.create(NamespaceMap, { metadata, spec });
  const accepted = { remoteNamespace: 'shop-rome', phase: 'Accepted' };
  const patch = mergePatch({ status: { currentMapping: { shop: accepted } } });
  await client.patch(NamespaceMap, key, patch, { subresource: 'status' });
}

async function createNamespace(
  client: Client,
  name: string,
  marks: Record<string, string> = {},
): Promise<void> {
  await client.create(Namespace, { metadata: { name, labels: marks } });
  await eventually(async () => {
    const account = await client.get(ServiceAccount, { namespace: name, name: 'default' });
    if (!account) throw new Error(`namespace ${name} has no service account yet`);
  });
}

async function installKinds(client: Client): Promise<void> {
  for (const kind of allKinds) {
    await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await eventually(async () => {
    const { items } = await client.list(CustomResourceDefinition);
    const isServed = items.every(({ status }) =>
      isConditionTrue(status?.conditions, 'Established'),
    );
    if (!isServed) throw new Error('Some kinds are not served yet');
  });
}
