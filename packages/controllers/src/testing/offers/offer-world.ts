import {
  Advertisement,
  advertisementName,
  allKinds,
  ClusterConfig,
  forgeCustomResourceDefinition,
  labels,
  offerVirtualNodeName,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  Client,
  CustomResourceDefinition,
  InProcessTransport,
  mergePatch,
  Namespace,
  type Patch,
  Secret,
  ServiceAccount,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { type ClusterSnapshot, type Minicluster, startMinicluster } from '@liqo/minicluster';
import { forgeTenantNamespace } from '@liqo/model';
import { type RecordedEvent, SharedInformers, type Stoppable, silentLogger } from '@liqo/runtime';
import { ProcessClock, seededRandom, VirtualClock } from '@liqo/testkit';
import { FaultyCalls, noFaults } from '@liqo/testkit/faults';
import type { ControllerContext } from '../../controller-context.ts';
import {
  controllersIdentity,
  grantTenantAccess,
  installRights,
  liqoNamespace,
} from '../installation.ts';
import { defaultOptions } from '../virtual-node-fixtures.ts';
import { PlayedKubelets } from './played-kubelets.ts';

export type Spec = Advertisement['spec'];
export type Ingoing = Partial<ClusterConfig['spec']['advertisementConfig']['ingoingConfig']>;
export type Decision = 'Accepted' | 'Pending' | 'Refused';

export const consumer = 'rome';
const configuration = { name: 'configuration' };
const administrator = { name: 'test', groups: ['system:masters'] };

export const offerKeyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: advertisementName(provider),
});

export const virtualNodeKeyOf = (provider: string) => ({
  namespace: `liqo-tenant-${provider}`,
  name: offerVirtualNodeName(provider),
});

/** Half an hour, unless said otherwise. */
export function validFrom(ms: number, forMs = 30 * 60_000): Pick<Spec, 'timestamp' | 'timeToLive'> {
  return {
    timestamp: new Date(ms).toISOString(),
    timeToLive: new Date(ms + forMs).toISOString(),
  };
}

/** A consumer with the tenant namespaces of its providers, and with nothing running in it. */
export async function drawConsumer(providers: readonly string[]): Promise<ClusterSnapshot> {
  const clock = new VirtualClock();
  await using cluster = await startQuietCluster(clock);
  const { client } = cluster;
  for (const kind of allKinds) {
    await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await installRights(client, consumer);
  // They concern what people write, and cost every write their time.
  const { items } = await client.list(ValidatingAdmissionPolicyBinding);
  for (const { metadata } of items) {
    await client.delete(ValidatingAdmissionPolicyBinding, { name: metadata.name });
  }
  await clock.advance(10_000);
  await client.create(VkOptionsTemplate, defaultOptions);
  for (const provider of providers) {
    await client.create(Namespace, forgeTenantNamespace(provider));
    await grantTenantAccess(client, `liqo-tenant-${provider}`);
  }
  await client.create(Namespace, { metadata: { name: 'shop' } });
  await client.create(ServiceAccount, { metadata: { namespace: 'shop', name: 'default' } });
  await clock.settle();
  return cluster.snapshot();
}

/** Of the kinds that nothing here applies, so that writes are cheaper. */
const unmanaged = ['advertisements', 'clusterconfigs', 'nodes', 'pods', 'secrets', 'virtualnodes'];

const serves = [
  'certificatesigningrequests',
  'clusterrolebindings',
  'clusterroles',
  'configmaps',
  'customresourcedefinitions',
  'deployments',
  'endpoints',
  'endpointslices',
  'events',
  'leases',
  'namespaces',
  'networkpolicies',
  'nodes',
  'poddisruptionbudgets',
  'pods',
  'priorityclasses',
  'rolebindings',
  'roles',
  'secrets',
  'selfsubjectaccessreviews',
  'serviceaccounts',
  'servicecidrs',
  'services',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];

/** Without anything in it that acts by itself. */
function startQuietCluster(clock: VirtualClock, from?: ClusterSnapshot): Promise<Minicluster> {
  return startMinicluster({
    name: consumer,
    clock,
    random: seededRandom(1),
    controllers: false,
    listens: false,
    bookmarkEveryMs: 130_000,
    unmanaged,
    serves,
    ...(from && { from }),
  });
}

/** What the operator of offers consists of: started together, they die together. */
export type Operator = (context: ControllerContext) => Stoppable;

export interface OfferWorldOptions {
  readonly from: ClusterSnapshot;
  readonly seed?: number;
  readonly operator: Operator;
}

interface Life {
  readonly clock: ProcessClock;
  readonly transport: InProcessTransport;
  readonly running: Stoppable;
}

/** A consumer on a virtual clock, its operator, which may die at any write, and providers that the test plays. */
export class OfferWorld implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly admin: Client;
  readonly kubelets: PlayedKubelets;
  readonly events: RecordedEvent[] = [];
  /** Under every call of the operator. */
  readonly faults: FaultyCalls;
  /** Providers whose API servers do not answer. */
  readonly silent = new Set<string>();
  readonly #cluster: Minicluster;
  readonly #operator: Operator;
  readonly #seed: number;
  #life: Life | undefined;
  #lives = 0;

  private constructor(
    cluster: Minicluster,
    { clock, kubelets }: { readonly clock: VirtualClock; readonly kubelets: PlayedKubelets },
    { operator, seed = 1 }: OfferWorldOptions,
  ) {
    this.clock = clock;
    this.#cluster = cluster;
    this.#operator = operator;
    this.#seed = seed;
    this.admin = cluster.clientFor(administrator);
    this.kubelets = kubelets;
    this.faults = new FaultyCalls({ clock });
  }

  static async start(options: OfferWorldOptions): Promise<OfferWorld> {
    const clock = new VirtualClock({ settleTurns: 1 });
    const cluster = await startQuietCluster(clock, options.from);
    const kubelets = await PlayedKubelets.start(cluster.clientFor(administrator));
    const world = new OfferWorld(cluster, { clock, kubelets }, options);
    world.startOperator();
    await world.pass(1_000);
    return world;
  }

  startOperator(): void {
    if (this.#life) return;
    this.#lives += 1;
    const clock = new ProcessClock(this.clock);
    this.faults.plan = noFaults;
    const served = this.faults.before(this.#cluster.serverFor(controllersIdentity), 'operator');
    const transport = new InProcessTransport(served);
    const random = seededRandom(this.#seed * 100 + this.#lives);
    const client = new Client({ transport, clock, random, fieldManager: 'operator' });
    const log = silentLogger;
    const running = this.#operator({
      client,
      caches: new SharedInformers({ client, clock, random, log }),
      clusterID: consumer,
      liqoNamespace,
      clock,
      random,
      log,
      events: {
        record: (event) => this.events.push(event),
        [Symbol.asyncDispose]: async () => undefined,
      },
      connectPeer: (text) => this.#connectPeer(text),
    });
    this.#life = { clock, transport, running };
  }

  /** Dies now, without goodbye. */
  killOperator(): void {
    this.#life?.transport.cut();
    this.#life?.clock.freeze();
    this.#life = undefined;
  }

  /** Ends in order, as in an upgrade. */
  async stopOperator(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    await life?.running[Symbol.asyncDispose]();
  }

  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  async configure(ingoingConfig: Ingoing = {}, more: object = {}): Promise<void> {
    const advertisementConfig = { ingoingConfig, ...more };
    const spec = { advertisementConfig } as ClusterConfig['spec'];
    if (await this.admin.get(ClusterConfig, configuration)) {
      const patch = mergePatch({ spec } as never);
      await this.admin.patch(ClusterConfig, configuration, patch);
    } else {
      await this.admin.create(ClusterConfig, { metadata: configuration, spec });
    }
    await this.pass(100);
  }

  async unconfigure(): Promise<void> {
    await this.admin.delete(ClusterConfig, configuration);
    await this.pass(100);
  }

  config() {
    return this.admin.get(ClusterConfig, configuration);
  }

  /** The Secret with the kubeconfig of a provider. */
  async lend(provider: string): Promise<void> {
    const namespace = `liqo-tenant-${provider}`;
    const kubeconfig = Buffer.from(`kubeconfig of ${provider}`).toString('base64');
    const marks = { [labels.remoteClusterID]: provider };
    if (await this.admin.get(Secret, { namespace, name: 'kubeconfig-offer' })) return;
    await this.admin.create(Secret, {
      metadata: { namespace, name: 'kubeconfig-offer', labels: marks },
      data: { kubeconfig },
    });
  }

  /** The offer as it arrives from a provider, without its Secret. */
  async publish(provider: string, spec: Partial<Spec> = {}, name?: string): Promise<void> {
    await this.admin.create(Advertisement, {
      metadata: {
        ...offerKeyOf(provider),
        ...(name !== undefined && { name }),
        labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: provider },
      },
      spec: {
        providerClusterID: provider,
        consumerClusterID: consumer,
        resourceQuota: { hard: { cpu: '4', memory: '8Gi', pods: '110' } },
        kubeConfigRef: { name: 'kubeconfig-offer' },
        ...validFrom(this.clock.now()),
        ...spec,
      },
    });
    // Creation times have seconds.
    await this.pass(1_000);
  }

  /** Offers with their Secrets, one after the other. */
  async offer(...providers: readonly string[]): Promise<void> {
    for (const provider of providers) {
      await this.lend(provider);
      await this.publish(provider);
    }
  }

  async patchOffer(provider: string, change: object): Promise<void> {
    const patch = mergePatch(change as never);
    await this.admin.patch(Advertisement, offerKeyOf(provider), patch);
    await this.pass(100);
  }

  async patchVirtualNode(provider: string, patch: Patch): Promise<void> {
    await this.admin.patch(VirtualNode, virtualNodeKeyOf(provider), patch);
    await this.pass(100);
  }

  refresh(provider: string, spec: object = {}): Promise<void> {
    return this.patchOffer(provider, { spec: { ...validFrom(this.clock.now()), ...spec } });
  }

  /** The provider, or a person, has taken it back. */
  async withdraw(provider: string): Promise<void> {
    await this.admin.delete(Advertisement, offerKeyOf(provider));
    await this.pass(100);
  }

  /** As `liqoctl advertisement` writes it. */
  async decide(provider: string, value: Decision): Promise<void> {
    const decision = { value, source: 'Manual', reason: null, time: null };
    const patch = mergePatch({ status: { decision } } as never);
    const key = offerKeyOf(provider);
    await this.admin.patch(Advertisement, key, patch, { subresource: 'status' });
    await this.pass(100);
  }

  found(provider: string) {
    return this.admin.get(Advertisement, offerKeyOf(provider));
  }

  virtualNode(provider: string) {
    return this.admin.get(VirtualNode, virtualNodeKeyOf(provider));
  }

  async phase(provider: string) {
    return (await this.found(provider))?.status?.phase;
  }

  async reason(provider: string) {
    return (await this.found(provider))?.status?.decision?.reason;
  }

  async condition(provider: string, type: string) {
    const { status } = (await this.found(provider)) ?? {};
    return status?.conditions?.find((one) => one.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.killOperator();
    await this.kubelets[Symbol.asyncDispose]();
    await this.#cluster[Symbol.asyncDispose]();
  }

  async #connectPeer(text: string): Promise<Client> {
    const provider = text.replace('kubeconfig of ', '');
    if (provider === text) throw new Error('it is not a kubeconfig');
    const server = this.#cluster.serverFor({ name: 'peer', groups: ['system:masters'] });
    const transport = new InProcessTransport((request, signal) => {
      if (this.silent.has(provider)) throw new Error('there is no route');
      return server(request, signal);
    });
    const { clock } = this;
    return new Client({ transport, clock, random: seededRandom(1), fieldManager: 'peer' });
  }
}
