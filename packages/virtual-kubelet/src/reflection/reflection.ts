import { reflectionLeaseName, type VirtualNode } from '@liqo/api';
import { type Client, deepEqual } from '@liqo/kube';
import type { ReflectionRoute } from '@liqo/model';
import {
  fenceClient,
  type LeaderElection,
  LeadershipLostError,
  type Stoppable,
  startLeaderElection,
  together,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from '../provider/provider-link.ts';
import type { Reflector } from './reflector.ts';

export interface ReflectionOptions {
  readonly context: KubeletContext;
  readonly link: Pick<ProviderLink, 'contact' | 'session' | 'virtualNode'>;
  /** This process among the virtual kubelets of the provider. */
  readonly identity: string;
  /** Starts one reflector for each kind. */
  readonly startReflectors: (context: KubeletContext) => readonly Reflector[];
  /** Keys that are not copied, besides those that the VirtualNode names. */
  readonly notReflected: ReflectionRoute['notReflected'];
}

/**
 * Renewals are writes at rest, and objects that are reflected a minute late after a crash harm no pod that runs: the lease is
 * longer than that of the Node. A virtual kubelet that stops in order gives it back.
 */
const lease = {
  leaseDurationMs: 60_000,
  renewDeadlineMs: 45_000,
  retryPeriodMs: 30_000,
  acquirePeriodMs: 5_000,
};

/**
 * Reflects what belongs to no virtual node alone, in all namespaces that the provider has accepted. The virtual nodes of one
 * provider share a Lease: one of them does it for all.
 */
export class Reflection implements Stoppable {
  readonly #options: ReflectionOptions;
  readonly #election: LeaderElection;
  #term: Term | undefined;

  constructor(options: ReflectionOptions) {
    const { context, identity } = options;
    const { local: client, virtualNode, providerClusterID, clock, random, log, metrics } = context;
    this.#options = options;
    this.#election = startLeaderElection({
      ...lease,
      client,
      lease: { namespace: virtualNode.namespace, name: reflectionLeaseName(providerClusterID) },
      identity: `${identity}/${virtualNode.name}`,
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      onStartedLeading: (signal, mayWrite) => this.#lead(signal, mayWrite),
    });
  }

  /** Begins, goes on or ends in every namespace, as the provider has accepted it. */
  follow(): void {
    this.#term?.follow();
  }

  /** The namespace may have been created again at the provider. */
  lookAt(namespace: string): void {
    this.#term?.lookAt(namespace);
  }

  /** What was not written while the provider could not be reached is written now. */
  providerChanged(): void {
    this.#term?.lookAtAll();
  }

  async stop(): Promise<void> {
    await this.#term?.stop();
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#election[Symbol.asyncDispose]();
  }

  async #lead(signal: AbortSignal, mayWrite: () => boolean): Promise<void> {
    const term = new Term(this.#options, mayWrite);
    this.#term = term;
    term.follow();
    await aborted(signal);
    this.#term = undefined;
    if (signal.reason instanceof LeadershipLostError) await term.stop();
    await term[Symbol.asyncDispose]();
  }
}

type Route = Omit<ReflectionRoute, 'policy'>;

interface Followed {
  readonly client: Client;
  readonly route: Route;
}

/** One term of the leader. */
class Term implements AsyncDisposable {
  readonly #options: ReflectionOptions;
  readonly #mayWrite: () => boolean;
  readonly #reflectors: readonly Reflector[];
  readonly #parts: Stoppable;
  readonly #followed = new Map<string, Followed>();
  #fenced: { readonly client: Client; readonly fenced: Client } | undefined;

  constructor(options: ReflectionOptions, mayWrite: () => boolean) {
    const { context, startReflectors } = options;
    this.#options = options;
    this.#mayWrite = mayWrite;
    this.#reflectors = startReflectors({
      ...context,
      local: fenceClient(context.local, mayWrite),
    });
    this.#parts = together(this.#reflectors);
  }

  follow(): void {
    const { session } = this.#options.link;
    const client = session && this.#fence(session.client);
    const wanted = new Map<string, Followed>();
    for (const [name, remote] of session?.namespaces.wanted ?? []) {
      if (client) wanted.set(name, { client, route: this.#routeTo(remote) });
    }
    for (const [name, followed] of this.#followed) {
      if (!isSame(followed, wanted.get(name))) this.#end(name);
    }
    for (const [name, followed] of wanted) {
      if (!this.#followed.has(name)) this.#begin(name, followed);
    }
  }

  lookAtAll(): void {
    for (const name of this.#followed.keys()) this.lookAt(name);
  }

  lookAt(namespace: string): void {
    for (const reflector of this.#reflectors) reflector.lookAtAll(namespace);
  }

  async stop(): Promise<void> {
    await this.#parts.stop?.({ drainMs: 0 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]();
  }

  #begin(name: string, followed: Followed): void {
    const { link } = this.#options;
    const isReachable = () => link.contact !== 'lost';
    this.#followed.set(name, followed);
    for (const reflector of this.#reflectors) reflector.begin({ name, ...followed, isReachable });
  }

  /** One for all namespaces, so that they share its limit of calls under way. */
  #fence(client: Client): Client {
    if (this.#fenced?.client !== client) {
      this.#fenced = { client, fenced: fenceClient(client, this.#mayWrite) };
    }
    return this.#fenced.fenced;
  }

  #end(name: string): void {
    this.#followed.delete(name);
    for (const reflector of this.#reflectors) reflector.end(name);
  }

  #routeTo(remoteNamespace: string): Route {
    const { context, link, notReflected } = this.#options;
    const { consumerClusterID, providerClusterID } = context;
    const { spec } = link.virtualNode ?? {};
    const patch = spec?.offloadingPatch;
    return {
      consumerClusterID,
      providerClusterID,
      remoteNamespace,
      offered: offeredBy(spec),
      notReflected: {
        labels: [...notReflected.labels, ...(patch?.labelsNotReflected ?? [])],
        annotations: [...notReflected.annotations, ...(patch?.annotationsNotReflected ?? [])],
      },
    };
  }
}

function offeredBy(spec: VirtualNode['spec'] = {}): NonNullable<Route['offered']> {
  const { ingressClasses = [], loadBalancerClasses = [], storageClasses = [] } = spec;
  return { ingressClasses, loadBalancerClasses, storageClasses };
}

function isSame(followed: Followed, wanted: Followed | undefined): boolean {
  return followed.client === wanted?.client && deepEqual(followed.route, wanted.route);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
