import {
  ForeignCluster,
  forgeCustomResourceDefinition,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  ShadowEndpointSlice,
  ShadowPod,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  findCondition,
  mergePatch,
  Namespace,
  Node,
  type ObjectKey,
  Pod,
  Secret,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import { type RecordedEvent, type Stoppable, silentLogger } from '@liqo/runtime';
import { VirtualClock } from '@liqo/testkit';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { refuseCarelessWrites } from '@liqo/testkit/faults';
import { OwnAddresses } from '../addresses/own-addresses.ts';
import { startVirtualKubelet, type VirtualKubeletOptions } from '../virtual-kubelet.ts';
import { PlayedProvider } from './played-provider.ts';
import {
  consumerUser,
  grantLocalRights,
  grantReflection,
  grantRemoteRights,
  grantTokens,
  installRoles,
  kubeletUser,
} from './rights.ts';

export const tenantNamespace = 'liqo-tenant-milan';
export const secretName = 'kubeconfig-mynode';
const rounds = 2_000;
/** So many rounds without time passing: what is under way gets its turns first. */
const patientRounds = 30;

/** The consumer rome and the provider milan, on one clock that only the test moves. */
export class OffloadingWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly home: TestCluster;
  readonly away: TestCluster;
  readonly provider: PlayedProvider;
  /** All that act when time passes. */
  readonly providers: PlayedProvider[];
  readonly events: RecordedEvent[] = [];
  /** What kubelets of this world have been started and not ended. */
  readonly #kubelets = new Set<Stoppable>();
  #addresses: OwnAddresses | undefined;

  constructor(clock: VirtualClock, home: TestCluster, away: TestCluster) {
    this.clock = clock;
    this.home = home;
    this.away = away;
    this.provider = new PlayedProvider(away.admin);
    this.providers = [this.provider];
  }

  /**
   * A kubelet of `mynode`, with the rights of its ServiceAccount. Its calls to the consumer are recorded under its identity,
   * those to the provider as `rome`.
   */
  startKubelet(change: Partial<VirtualKubeletOptions> = {}): Stoppable {
    const { clock, home } = this;
    const identity = change.identity ?? 'kubelet';
    const virtualNode = change.virtualNode ?? { namespace: tenantNamespace, name: 'mynode' };
    const kubelet = startVirtualKubelet({
      local: home.clientWithRightsOf(kubeletUser(virtualNode), identity),
      virtualNode,
      kubeconfigSecretName: secretName,
      liqoNamespace: 'liqo',
      consumerClusterID: 'rome',
      providerClusterID: 'milan',
      clock,
      random: home.random,
      log: silentLogger,
      startEvents: () => ({
        record: (event) => this.events.push(event),
        [Symbol.asyncDispose]: nothing,
      }),
      connectProvider: (text) => this.connect(text),
      identity,
      createNode: true,
      node: { address: '127.0.0.1', extras: { labels: {}, annotations: {} }, checkNetwork: false },
      endpoint: { host: '127.0.0.1', port: 0, certificateType: 'self-signed' },
      podWorkers: 4,
      addresses: this.#addressesOf(virtualNode),
      ...change,
    });
    this.#kubelets.add(kubelet);
    return kubelet;
  }

  /** One for all kubelets of this world, as those of a process have. */
  #addressesOf(virtualNode: ObjectKey): OwnAddresses {
    const { clock, home } = this;
    const client = home.clientWithRightsOf(kubeletUser(virtualNode), 'addresses');
    const options = { client, clock, random: home.random, log: silentLogger };
    this.#addresses ??= new OwnAddresses(options);
    return this.#addresses;
  }

  /** The same, and at work: it does not just wait for its turn. */
  async startWorkingKubelet(change: Partial<VirtualKubeletOptions> = {}): Promise<Stoppable> {
    const { calls } = this.home.faults;
    const before = calls.length;
    const kubelet = this.startKubelet(change);
    await this.until(() => {
      const isAtWork = calls.slice(before).some(({ resource }) => resource === 'nodes');
      if (!isAtWork) throw new Error('The kubelet does not look after its node');
    });
    return kubelet;
  }

  async stop(kubelet: Stoppable): Promise<void> {
    this.#kubelets.delete(kubelet);
    const stopped = kubelet[Symbol.asyncDispose]();
    let isOver = false;
    void stopped.then(() => {
      isOver = true;
    });
    await this.until(() => {
      if (!isOver) throw new Error('The kubelet does not end');
    });
  }

  /** A kubeconfig of this world is the name of a user. */
  async connect(kubeconfig: string): Promise<Client> {
    if (!/^rome/.test(kubeconfig)) throw new Error('it is not a kubeconfig');
    return this.away.clientWithRightsOf(consumerUser(kubeconfig), kubeconfig);
  }

  async setKubeconfig(text: string): Promise<void> {
    const data = { kubeconfig: Buffer.from(text).toString('base64') };
    const { admin } = this.home;
    const key = { namespace: tenantNamespace, name: secretName };
    if (await admin.get(Secret, key)) await admin.patch(Secret, key, mergePatch({ data }));
    else await admin.create(Secret, { metadata: key, data });
  }

  /** What the provider says of the namespaces, as if it had been told and had answered. */
  async map(mapping: Readonly<Record<string, string>>, name = 'milan'): Promise<void> {
    const { admin } = this.home;
    const key = { namespace: tenantNamespace, name };
    const old = await admin.get(NamespaceMap, key);
    if (old) await admin.delete(NamespaceMap, key);
    const metadata = { ...key, labels: { [labels.replicationDestination]: name } };
    await admin.create(NamespaceMap, { metadata, spec: { desiredMapping: { ...mapping } } });
    if (name === 'milan') await this.#grantRemoteRights(Object.values(mapping));
    for (const local of Object.keys(mapping)) await grantReflection(admin, name, local);
    const accepted = Object.entries(mapping).map(([local, remoteNamespace]) => [
      local,
      { remoteNamespace, phase: 'Accepted' },
    ]);
    const status = { currentMapping: Object.fromEntries(accepted) };
    const subresource = 'status' as const;
    await admin.patch(NamespaceMap, key, mergePatch({ status }), { subresource });
  }

  /** The namespace is not wanted any more, and the provider has none. */
  async unmap(local: string): Promise<void> {
    const { admin } = this.home;
    const key = { namespace: tenantNamespace, name: 'milan' };
    const spec = { desiredMapping: { [local]: null } };
    await admin.patch(NamespaceMap, key, mergePatch({ spec }));
    const status = { currentMapping: { [local]: null } };
    const subresource = 'status' as const;
    await admin.patch(NamespaceMap, key, mergePatch({ status }), { subresource });
  }

  async #grantRemoteRights(remotes: readonly string[]): Promise<void> {
    const { admin } = this.away;
    for (const name of remotes) {
      if (await admin.get(Namespace, { name })) await grantRemoteRights(admin, name);
    }
  }

  createPod(name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Promise<Stored<Pod>> {
    return this.home.admin.create(Pod, {
      metadata: { namespace: 'shop', name },
      spec: { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }], ...spec },
    });
  }

  /** On the node, running over there, and said so at home. */
  async runPod(name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Promise<Stored<Pod>> {
    await this.createPod(name, spec);
    return this.until(async () => {
      const pod = await this.pod(name);
      if (pod?.status?.phase !== 'Running') throw new Error(`${name} does not run`);
      return pod;
    });
  }

  pod(name: string): Promise<Stored<Pod> | undefined> {
    return this.home.admin.get(Pod, { namespace: 'shop', name });
  }

  remotePod(name: string): Promise<Stored<Pod> | undefined> {
    return this.away.admin.get(Pod, { namespace: 'shop-rome', name });
  }

  shadowPod(name: string): Promise<Stored<ShadowPod> | undefined> {
    return this.away.admin.get(ShadowPod, { namespace: 'shop-rome', name });
  }

  async readiness(node = 'mynode') {
    const found = await this.home.admin.get(Node, { name: node });
    return findCondition(found?.status?.conditions, 'Ready');
  }

  async virtualNode(name = 'mynode'): Promise<Stored<VirtualNode>> {
    const found = await this.home.admin.get(VirtualNode, { namespace: tenantNamespace, name });
    if (!found) throw new Error(`There is no VirtualNode ${name}`);
    return found;
  }

  /** What the VirtualNode says of the provider. */
  async providerCondition(name = 'mynode') {
    const { status } = await this.virtualNode(name);
    return findCondition(status?.conditions, 'Provider');
  }

  /** Lets the provider act, and time pass, until the assertion holds. */
  async until<T>(assertion: () => T | Promise<T>): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await assertion();
      } catch (failure) {
        if (round === rounds) throw failure;
        await this.pass(round < patientRounds ? 0 : 250);
      }
    }
  }

  /** Lets so much time pass, with the provider at work. */
  async pass(ms: number): Promise<void> {
    for (let leftMs = ms; ; leftMs -= 1_000) {
      for (const provider of this.providers) await provider.act();
      await this.clock.advance(Math.min(leftMs, 1_000));
      if (leftMs <= 1_000) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kubelet of [...this.#kubelets]) await this.stop(kubelet);
    await this.#addresses?.[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
    await this.away[Symbol.asyncDispose]();
    refuseCarelessWrites([...this.home.faults.calls, ...this.away.faults.calls]);
    this.home.denied.refuse();
    this.away.denied.refuse();
  }
}

async function nothing(): Promise<void> {
  // There is nothing to end.
}

/** Everything a kubelet of `mynode` needs, and none started. The namespace `shop` is `shop-rome` at the provider. */
export async function startWorld(): Promise<OffloadingWorld> {
  const clock = new VirtualClock();
  const home = await startTestCluster({ clock, namespaces: ['shop', tenantNamespace] });
  const away = await startTestCluster({ clock, seed: 2 });
  const world = new OffloadingWorld(clock, home, away);
  await installKinds(home);
  await installRoles(home.admin);
  await prepareProvider(away);
  await world.setKubeconfig('rome');
  await createVirtualNode(world);
  await world.map({ shop: 'shop-rome' });
  return world;
}

/** A world whose kubelet is at work: its node is ready. */
export async function startRunningWorld(
  change: Partial<VirtualKubeletOptions> = {},
): Promise<OffloadingWorld & { readonly kubelet: Stoppable }> {
  const world = await startWorld();
  if (change.consumerApiServer) await grantTokens(world.home.admin, await world.virtualNode());
  const kubelet = world.startKubelet(change);
  await world.until(async () => {
    if ((await world.readiness())?.status !== 'True') throw new Error('The node is not ready');
  });
  return Object.assign(world, { kubelet });
}

export async function createVirtualNode(
  { home }: OffloadingWorld,
  name = 'mynode',
  clusterID = 'milan',
): Promise<void> {
  const virtualNode = await home.admin.create(VirtualNode, {
    metadata: { namespace: tenantNamespace, name },
    spec: {
      clusterID,
      kubeconfigSecretRef: { name: secretName },
      labels: { tier: 'gold' },
      taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }],
      resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '10' } },
    },
  });
  await grantLocalRights(home.admin, virtualNode);
  for (const { spec } of (await home.admin.list(NamespaceMap)).items) {
    const locals = Object.keys(spec?.desiredMapping ?? {});
    for (const local of locals) await grantReflection(home.admin, clusterID, local);
  }
}

/** Our kinds, and the namespace `shop-rome`. */
export async function prepareProvider(provider: TestCluster): Promise<void> {
  await installKinds(provider);
  await installRoles(provider.admin);
  const { admin } = provider;
  const namespace = 'shop-rome';
  const marks = { [labels.remoteClusterID]: 'rome' };
  await admin.create(Namespace, { metadata: { name: namespace, labels: marks } });
  await admin.create(ServiceAccount, { metadata: { namespace, name: 'default' } });
  await grantRemoteRights(admin, namespace);
}

const installed = [
  ForeignCluster,
  NamespaceMap,
  NamespaceOffloading,
  ShadowEndpointSlice,
  ShadowPod,
  VirtualNode,
];

async function installKinds({ admin, clock }: TestCluster): Promise<void> {
  for (const kind of installed) {
    await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await clock.settle();
}
