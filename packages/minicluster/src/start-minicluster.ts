import {
  Client,
  type Clock,
  ConfigMap,
  formatTime,
  type InProcessServer,
  Namespace,
  PriorityClass,
  type Random,
  ServiceAccount,
  ServiceCIDR,
  type Transport,
} from '@liqo/kube';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { startQuotaController } from './admission/quota/quota-controller.ts';
import type { CallWebhook } from './admission/webhooks/webhook-caller.ts';
import { type AssembledServer, assembleServer, type ServerSnapshot } from './api-server.ts';
import type { StaticTokens } from './auth/authenticator.ts';
import { startCertificateSigning } from './auth/certificates/signing-controller.ts';
import { startClusterRoleAggregation } from './auth/rbac/cluster-role-aggregation.ts';
import type { User } from './auth/user.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { inProcessAccess } from './in-process-access.ts';
import { InReverse } from './in-reverse.ts';
import {
  type CallInterceptor,
  interceptCalls,
  type RequestHandler,
  serveAs,
} from './intercept-calls.ts';
import type { KindReader } from './kind-reader.ts';
import { loopback, NetworkAccess } from './network-access.ts';
import type { ServingCredentials } from './node/server/kubelet-server.ts';
import { type NodeAgent, type NodeOptions, startNode } from './node/start-node.ts';
import { defaultServiceCidr } from './resources/networking/service-cidr.ts';
import { startScheduler } from './scheduler/start-scheduler.ts';
import { ClusterRoutes } from './subresources/cluster-routes.ts';
export interface MiniclusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** In the names of kubeconfig contexts and nodes. */
  readonly name?: string;
  /** How many nodes it starts with. */
  readonly nodes?: number;
  /** Controllers and scheduler; without them nobody acts on the objects. On unless said otherwise. */
  readonly controllers?: boolean;
  /**
   * On the network, with a kubeconfig on disk; otherwise clients are in this process alone, and whatever the cluster does
   * follows its clock and nothing else. On unless said otherwise.
   */
  readonly listens?: boolean;
  /** How often a watch that asks for it hears that nothing has happened: every minute, as on a real server, unless said otherwise. */
  readonly bookmarkEveryMs?: number;
  /**
   * Plurals of resources whose objects do not say who manages which of their fields. Nobody misses it who does not apply
   * them, and every write is a third cheaper.
   */
  readonly unmanaged?: readonly string[];
  /**
   * Plurals of the built-in resources that it serves: all of them unless said otherwise. What is about others does not run,
   * and a cluster that needs few of them starts in half the time.
   */
  readonly serves?: readonly string[];
  /**
   * Whether its own controllers, scheduler and nodes follow objects in its store, and not through its API: nobody sees
   * them read, and a change costs a fraction.
   */
  readonly readsWithin?: boolean;
  /** Its own parts write no events then: nobody is told what they do, and there are a third fewer writes. */
  readonly silent?: boolean;
  /** What another cluster was; the stock one when absent. */
  readonly from?: ClusterSnapshot;
  readonly historyLimit?: number;
  readonly staticTokens?: StaticTokens;
  /** Sees every call from the first one on, those that start the cluster included. */
  readonly intercept?: CallInterceptor;
  /** Answers the webhooks of the cluster, where it has no network to reach them. */
  readonly callWebhook?: CallWebhook;
}
/** All objects, definitions and keys of a cluster, to begin others with. They share it, and change nothing in it. */
export type ClusterSnapshot = ServerSnapshot;
/** Whom a client is. */
export interface Identity {
  readonly name: string;
  readonly groups: readonly string[];
}
/** A Kubernetes in this process, on loopback. Disposed, nothing of it is left. */
export interface Minicluster extends AsyncDisposable {
  readonly name: string;
  /** The URL of the API server, if it listens. */
  readonly server: string;
  /** Path of a kubeconfig for the administrator, good for `kubectl --kubeconfig`; empty if the cluster does not listen. */
  readonly kubeconfig: string;
  readonly kubeconfigText: string;
  /** The administrator, without a network in between. */
  readonly client: Client;
  /** The text of a kubeconfig for anybody else. */
  kubeconfigFor(user: Identity): string;
  /** Somebody else, without a network in between. */
  clientFor(user: Identity): Client;
  /** What such a client stands on: for clients with a clock or a transport of their own. Whoever asks for it disposes of it. */
  transportFor(user: Identity): Transport;
  /** What such a transport speaks to: for those who want to be in between. */
  serverFor(user: Identity): InProcessServer;
  /** One more machine. */
  startNode(options: NodeSettings): Promise<NodeAgent>;
  /** What others can be started `from`. */
  snapshot(): ClusterSnapshot;
  /** Makes every version up to now too old to watch or list from. */
  forgetHistory(): void;
}
/** A node of the cluster: the cluster itself knows its credentials and its clock. */
type NodeSettings = Omit<
  NodeOptions,
  'client' | 'reader' | 'clock' | 'random' | 'serving' | 'silent'
>;
const admin: Identity = { name: 'kubernetes-admin', groups: ['system:masters'] };
const stockNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const stockPriorities = [
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
] as const;
/**
 * Starts a cluster, ready to be used: pods may be created in the namespace `default`, and its nodes are ready. Start as
 * many as memory allows; they share nothing.
 */
export async function startMinicluster(options: MiniclusterOptions): Promise<Minicluster> {
  const cluster = new RunningCluster(options);
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
class RunningCluster implements Minicluster {
  readonly name: string;
  readonly client: Client;
  readonly #options: MiniclusterOptions;
  readonly #parts = new InReverse();
  readonly #routes = new ClusterRoutes();
  readonly #assembled: AssembledServer;
  readonly #server: RequestHandler;
  readonly #network: NetworkAccess | undefined;
  constructor(options: MiniclusterOptions) {
    this.name = options.name ?? 'minicluster';
    this.#options = options;
    this.#assembled = this.#parts.add(
      assembleServer({
        ...options,
        routes: this.#routes,
        serverAddress: () => `${loopback}:${this.#port}`,
      }),
    );
    const { server, auth } = this.#assembled;
    const { intercept, listens = true } = options;
    this.#server = intercept ? interceptCalls(server, auth.gatekeeper, intercept) : server;
    this.#network = listens ? this.#parts.add(new NetworkAccess(this.#server, auth)) : undefined;
    this.client = this.clientFor(admin);
  }
  get server(): string {
    return `https://${loopback}:${this.#port}`;
  }
  get kubeconfig(): string {
    return this.#network?.kubeconfig ?? '';
  }
  get kubeconfigText(): string {
    return this.kubeconfigFor(admin);
  }
  async start(): Promise<void> {
    await this.#network?.listen();
    await this.#network?.writeKubeconfig(this.name, this.kubeconfigText);
    if (!this.#options.from) await this.#createStockObjects();
    if (this.#options.controllers ?? true) await this.#startControlPlane();
    for (let i = 1; i <= (this.#options.nodes ?? 0); i++) {
      await this.startNode({ name: `${this.name}-${i}`, podCidr: `10.244.${i}.0/24` });
    }
  }
  kubeconfigFor(user: Identity): string {
    const { certificate, privateKey } = this.#assembled.auth.authority.issueClient(userOf(user));
    const credentials = { clientCertificatePem: certificate, clientKeyPem: privateKey };
    const { name, server } = this;
    const caPem = this.#assembled.auth.authority.certificate;
    return printKubeconfig(forgeKubeconfig({ name, server, caPem, user: credentials }));
  }
  clientFor(user: Identity): Client {
    const transport = this.transportFor(user);
    const { clock, random } = this.#options;
    return this.#parts.add(new Client({ transport, clock, random, fieldManager: user.name }));
  }
  transportFor(user: Identity): Transport {
    return inProcessAccess(this.#server, userOf(user));
  }
  serverFor(user: Identity): InProcessServer {
    return serveAs(this.#server, userOf(user));
  }
  async startNode(settings: NodeSettings): Promise<NodeAgent> {
    const { clock, random, silent } = this.#options;
    const { name, address = loopback, podCidr = '10.244.0.0/24' } = settings;
    const client = this.clientFor({ name: `system:node:${name}`, groups: ['system:nodes'] });
    const serving = this.#network && this.#credentialsOf(name, address);
    const environment = {
      KUBERNETES_SERVICE_HOST: loopback,
      KUBERNETES_SERVICE_PORT: String(this.#port),
      ...settings.environment,
    };
    this.#routes.add(podCidr, address);
    const reader = this.#reader;
    const own = {
      podCidr,
      client,
      reader,
      clock,
      random,
      silent,
      environment,
      ...(serving && { serving }),
    };
    return this.#parts.add(await startNode({ ...settings, ...own }));
  }
  snapshot(): ClusterSnapshot {
    return this.#assembled.snapshot();
  }
  forgetHistory(): void {
    this.#assembled.store.compact();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]();
  }
  /** Zero for a cluster that does not listen. */
  get #port(): number {
    return this.#network?.port ?? 0;
  }
  /** Clients read for themselves without. */
  get #reader(): KindReader | undefined {
    return this.#options.readsWithin ? this.#assembled.reader : undefined;
  }
  #credentialsOf(node: string, address: string): ServingCredentials {
    const { authority } = this.#assembled.auth;
    const pair = authority.issueServer(node, [node, address]);
    return { ...pair, clientCa: authority.certificate };
  }
  async #startControlPlane(): Promise<void> {
    const { clock, random, silent } = this.#options;
    const { authority } = this.#assembled.auth;
    const manager = this.clientFor({
      name: 'system:kube-controller-manager',
      groups: ['system:masters'],
    });
    const reader = this.#reader;
    const rootCertificate = authority.certificate;
    const isServed = (plural: string) => this.#options.serves?.includes(plural) ?? true;
    this.#parts.add(startClusterRoleAggregation(manager, clock, reader));
    if (isServed('certificatesigningrequests')) {
      this.#parts.add(startCertificateSigning(manager, clock, authority, reader));
    }
    this.#parts.add(
      startControllers(manager, { reader, clock, random, silent, rootCertificate, isServed }),
    );
    if (isServed('resourcequotas')) {
      this.#parts.add(await startQuotaController(manager, { reader, clock, random }));
    }
    const scheduler = this.clientFor({ name: 'system:kube-scheduler', groups: [] });
    const hasVolumes = isServed('persistentvolumeclaims');
    this.#parts.add(await startScheduler(scheduler, { reader, clock, random, silent, hasVolumes }));
    await serviceAccountReady(reader ?? manager);
  }
  async #createStockObjects(): Promise<void> {
    if (this.#options.serves?.includes('servicecidrs') ?? true) {
      await this.client.create(ServiceCIDR, forgeServiceCidr(this.#options.clock));
    }
    for (const name of stockNamespaces) {
      await this.client.create(Namespace, { metadata: { name } });
    }
    for (const [name, value] of stockPriorities) {
      await this.client.create(PriorityClass, { metadata: { name }, value });
    }
    await this.client.create(ConfigMap, {
      metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
      data: { 'client-ca-file': this.#assembled.auth.authority.certificate },
    });
  }
}
function forgeServiceCidr(clock: Clock): ServiceCIDR {
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
    lastTransitionTime: formatTime(clock.now()),
  };
  return {
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [defaultServiceCidr] },
    status: { conditions: [ready] },
  };
}
function userOf({ name, groups }: Identity): User {
  return { name, groups: [...groups, 'system:authenticated'], extra: {} };
}
/** Pods are refused before their namespace has its service account. */
async function serviceAccountReady(reader: KindReader): Promise<void> {
  const selection = { namespace: 'default', fieldSelector: 'metadata.name=default' };
  const { items, resourceVersion } = await reader.list(ServiceAccount, selection);
  if (items.length > 0) return;
  for await (const event of reader.watch(ServiceAccount, { ...selection, resourceVersion })) {
    if (event.type === 'ADDED') return;
  }
}
