import type { Client, InProcessServer } from '@liqo/kube';
import { type ClusterSnapshot, type Minicluster, startMinicluster } from '@liqo/minicluster';
import { seededRandom, type VirtualClock } from '@liqo/testkit';
import { type ApiCall, type Denial, DeniedCalls, FaultyCalls } from '@liqo/testkit/faults';
import { isBoundIn, isOfLeavingNode } from './bindings.ts';
import { Journal } from './journal.ts';
import { WebhookSite } from './webhook-site.ts';

/** Applied by nobody. */
const unmanaged = [
  'configmaps',
  'events',
  'foreignclusters',
  'jobs',
  'leases',
  'namespacemaps',
  'namespaceoffloadings',
  'namespaces',
  'nodes',
  'pods',
  'replicasets',
  'secrets',
  'shadowpods',
  'virtualnodes',
];

/** What the product and the people of a story look at, and what makes that work. */
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
  'ingresses',
  'jobs',
  'leases',
  'mutatingwebhookconfigurations',
  'namespaces',
  'networkpolicies',
  'nodes',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'priorityclasses',
  'replicasets',
  'rolebindings',
  'roles',
  'secrets',
  'selfsubjectaccessreviews',
  'serviceaccounts',
  'servicecidrs',
  'services',
  'storageclasses',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
];

/** Just often enough for nobody to take the connection for dead: most of what happens in an idle world are bookmarks. */
const bookmarkEveryMs = 130_000;

export interface SimulatedClusterOptions {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly seed: number;
  /** What it begins with. */
  readonly from?: ClusterSnapshot;
  /** Told of every call that a process of the product makes here. */
  readonly onCall?: (call: ApiCall) => void;
}

interface ClusterParts {
  readonly cluster: Minicluster;
  readonly faults: FaultyCalls;
  readonly journal: Journal;
  readonly webhooks: WebhookSite;
  readonly clock: VirtualClock;
}

/**
 * A cluster of a simulated world. Everything stock in it is real and never goes wrong by itself: API server, controllers,
 * scheduler, and one machine whose containers are played.
 */
export class SimulatedCluster implements AsyncDisposable {
  readonly name: string;
  readonly cluster: Minicluster;
  /** Under every call that a process of the product makes here, of whichever cluster it is; `who` is its name. */
  readonly faults: FaultyCalls;
  /** What anybody at all has changed. */
  readonly journal: Journal;
  readonly webhooks: WebhookSite;
  readonly clock: VirtualClock;
  readonly #denied: DeniedCalls[] = [];

  private constructor({ cluster, faults, journal, webhooks, clock }: ClusterParts) {
    this.clock = clock;
    this.name = cluster.name;
    this.cluster = cluster;
    this.faults = faults;
    this.journal = journal;
    this.webhooks = webhooks;
  }

  static async start(options: SimulatedClusterOptions): Promise<SimulatedCluster> {
    const { name, clock, seed, from, onCall } = options;
    const journal = new Journal();
    const webhooks = new WebhookSite();
    const cluster = await startMinicluster({
      name,
      clock,
      random: seededRandom(seed),
      listens: false,
      unmanaged,
      serves,
      bookmarkEveryMs,
      readsWithin: true,
      ...(from && { from }),
      // Nobody here reads what the cluster's own parts tell.
      silent: true,
      callWebhook: webhooks.call,
      intercept: ({ user, request, signal }, handle) =>
        journal.follow(user, request, handle(request, signal)),
    });
    const faults = new FaultyCalls({ clock, ...(onCall && { onCall }) });
    return new SimulatedCluster({ cluster, faults, journal, webhooks, clock });
  }

  /** Somebody whose calls are not seen and never go wrong: people, tests, and the world itself. */
  get admin(): Client {
    return this.cluster.client;
  }

  /** This cluster as a process sees it. */
  serverFor(process: string, user: string, groups: readonly string[]): InProcessServer {
    const identity = { name: user, groups };
    const serve = this.cluster.serverFor(identity);
    const denied = new DeniedCalls(({ namespace }) => {
      const { collections } = this.cluster.snapshot().store;
      return isBoundIn(collections, identity, namespace) && !isOfLeavingNode(collections, identity);
    });
    this.#denied.push(denied);
    const judged: InProcessServer = (request, signal) =>
      denied.follow(request, serve(request, signal));
    return this.faults.before(judged, process);
  }

  /**
   * What processes asked for and may not have. A process without any right in that place does not count: the controllers
   * withdraw the rights of a virtual kubelet before it has ended, and providers those of a consumer with its namespace.
   */
  get denials(): readonly Denial[] {
    return this.#denied.flatMap(({ denials }) => denials);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
