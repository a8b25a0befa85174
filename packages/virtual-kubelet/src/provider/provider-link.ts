import { labels, NamespaceMap, VirtualNode } from '@liqo/api';
import { type Client, deepEqual, Secret, type Stored } from '@liqo/kube';
import { describeProblem, type ProviderProblem, type ProviderTrouble } from '@liqo/model';
import {
  type Controller,
  done,
  external,
  type Informer,
  mapped,
  type Outcome,
  type ReconcileContext,
  type StopOptions,
  type Stoppable,
  startController,
  startInformer,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { Contact } from './provider-health.ts';
import { type ProviderObserver, ProviderSession } from './provider-session.ts';
import { reportProvider } from './report-provider.ts';

const notYet = {
  type: 'silent',
  why: 'the credentials have not been read yet',
} as const satisfies ProviderProblem;

/**
 * The connection to the provider, for as long as the virtual kubelet runs: made from the Secret that the VirtualNode
 * names, and made anew when either changes to another place.
 */
export class ProviderLink implements Stoppable {
  readonly virtualNodes: Informer<VirtualNode>;
  readonly namespaceMaps: Informer<NamespaceMap>;
  readonly #context: KubeletContext;
  readonly #observer: ProviderObserver;
  readonly #secrets: Informer<Secret>;
  readonly #controller: Controller;
  #session: ProviderSession | undefined;
  #kubeconfig: string | undefined;
  /** Of the Secret, whether or not there is a connection made from an earlier one. */
  #problem: ProviderProblem | undefined = notYet;
  readonly #nudges = external();

  constructor(context: KubeletContext, observer: ProviderObserver) {
    const {
      local: client,
      virtualNode,
      kubeconfigSecretName,
      clock,
      random,
      log,
      metrics,
    } = context;
    const { namespace, name } = virtualNode;
    const shared = { client, clock, random, log };
    this.#context = context;
    this.#observer = observer;
    this.virtualNodes = startInformer({
      ...shared,
      kind: VirtualNode,
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
    });
    this.namespaceMaps = startInformer({
      ...shared,
      kind: NamespaceMap,
      selection: {
        namespace,
        labelSelector: `${labels.replicationDestination}=${context.providerClusterID}`,
      },
    });
    this.#secrets = startInformer({
      ...shared,
      kind: Secret,
      selection: { namespace, fieldSelector: `metadata.name=${kubeconfigSecretName}` },
    });
    this.#controller = startController({
      name: 'provider-link',
      clock,
      random,
      log,
      ...(metrics && { metrics }),
      sources: [
        mapped(this.virtualNodes, () => [virtualNode]),
        mapped(this.namespaceMaps, () => [virtualNode]),
        mapped(this.#secrets, () => [virtualNode]),
        this.#nudges,
      ],
      reconcile: (_key, run) => this.#reconcile(run),
    });
  }

  get session(): ProviderSession | undefined {
    return this.#session;
  }

  /** The VirtualNode, as last seen. */
  get virtualNode(): Stored<VirtualNode> | undefined {
    return this.virtualNodes.get(this.#context.virtualNode);
  }

  /** The only one there is about this provider; with several it is not clear which one counts. */
  get namespaceMap(): Stored<NamespaceMap> | undefined {
    const maps = this.namespaceMaps.list();
    return maps.length === 1 ? maps[0] : undefined;
  }

  /** What is wrong, if anything: also of a provider that can be reached all the same. */
  get trouble(): ProviderTrouble | undefined {
    const problem = this.#session?.health.problem() ?? this.#problem ?? this.#refusal();
    const { kubeconfigSecretName: secretName, providerClusterID } = this.#context;
    return problem && describeProblem(problem, { secretName, providerClusterID });
  }

  get contact(): Contact {
    if (this.#session) return this.#session.health.contact;
    return this.#problem === notYet ? 'unknown' : 'lost';
  }

  whyNotReady(): string | undefined {
    return this.#controller.whyNotReady();
  }

  async stop(options: StopOptions): Promise<void> {
    await this.#controller.stop(options);
    await this.#disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    for (const informer of [this.virtualNodes, this.namespaceMaps, this.#secrets] as const) {
      await informer[Symbol.asyncDispose]();
    }
    await this.#session?.[Symbol.asyncDispose]();
    this.#session = undefined;
  }

  async #reconcile(run: ReconcileContext): Promise<Outcome> {
    const { virtualNode, kubeconfigSecretName } = this.#context;
    const { namespace } = virtualNode;
    const secret = this.#secrets.get({ namespace, name: kubeconfigSecretName });
    this.#complain(await this.#connect(secret?.data?.kubeconfig));
    await this.#session?.follow(this.namespaceMap);
    this.#observer.onFollowed();
    await reportProvider(this.#context, this, run);
    return done;
  }

  /** Credentials that are of no use leave a connection that works as it is: it is better than none. */
  async #connect(encoded: string | undefined): Promise<ProviderProblem | undefined> {
    if (encoded === undefined) return { type: 'no-kubeconfig' };
    if (encoded === this.#kubeconfig) return undefined;
    try {
      const client = await this.#context.connectProvider(Buffer.from(encoded, 'base64').toString());
      await this.#use(client);
      this.#kubeconfig = encoded;
      return undefined;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { type: 'invalid-kubeconfig', why };
    }
  }

  /** Credentials for the same place are used from the next request on: no watch and no stream ends. */
  async #use(client: Client): Promise<void> {
    if (await this.#session?.client.takeCredentialsOf(client)) {
      await client[Symbol.asyncDispose]();
      return;
    }
    await this.#session?.[Symbol.asyncDispose]();
    this.#session = this.#open(client);
  }

  #open(client: Client): ProviderSession {
    const lookAgain = () => this.#nudges.enqueue(this.#context.virtualNode);
    return new ProviderSession(this.#context, client, {
      ...this.#observer,
      onChecked: lookAgain,
      onHealthChanged: () => {
        lookAgain();
        this.#observer.onHealthChanged();
      },
    });
  }

  #complain(problem: ProviderProblem | undefined): void {
    const isNews = !deepEqual(problem, this.#problem);
    this.#problem = problem;
    if (!problem || !isNews) return;
    this.#context.log.warn('Cannot connect to the provider', { reason: this.trouble?.message });
    this.#observer.onHealthChanged();
  }

  /** Some of the namespaces are not granted, and others are. */
  #refusal(): ProviderProblem | undefined {
    const namespaces = this.#session?.refusedNamespaces ?? [];
    return namespaces.length === 0
      ? undefined
      : { type: 'forbidden', why: 'refused with 403', namespaces };
  }
}
