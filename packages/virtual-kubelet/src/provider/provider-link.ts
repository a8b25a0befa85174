import { labels, NamespaceMap, VirtualNode } from '@liqo/api';
import { Secret, type Stored } from '@liqo/kube';
import {
  type Controller,
  done,
  type Informer,
  mapped,
  type Outcome,
  startController,
  startInformer,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { Contact } from './provider-health.ts';
import { type ProviderObserver, ProviderSession } from './provider-session.ts';

/** Without a connection, why: for the condition of the Node. */
const notYet = 'the credentials of the provider have not been read yet';

/**
 * The connection to the provider, for as long as the virtual kubelet runs: made from the Secret that the VirtualNode
 * names, and made anew when either changes.
 */
export class ProviderLink implements AsyncDisposable {
  readonly virtualNodes: Informer<VirtualNode>;
  readonly namespaceMaps: Informer<NamespaceMap>;
  readonly #context: KubeletContext;
  readonly #observer: ProviderObserver;
  readonly #secrets: Informer<Secret>;
  readonly #controller: Controller;
  #session: ProviderSession | undefined;
  #kubeconfig: string | undefined;
  #problem = notYet;

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
      ],
      reconcile: () => this.#reconcile(),
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

  /** Undefined while the provider can be relied on; else why not. */
  whyUnreachable(): string | undefined {
    return this.#session ? this.#session.health.whyUnreachable() : this.#problem;
  }

  get contact(): Contact {
    if (this.#session) return this.#session.health.contact;
    return this.#problem === notYet ? 'unknown' : 'lost';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    for (const informer of [this.virtualNodes, this.namespaceMaps, this.#secrets] as const) {
      await informer[Symbol.asyncDispose]();
    }
    await this.#session?.[Symbol.asyncDispose]();
    this.#session = undefined;
  }

  async #reconcile(): Promise<Outcome> {
    const { virtualNode, kubeconfigSecretName } = this.#context;
    const { namespace } = virtualNode;
    const secret = this.#secrets.get({ namespace, name: kubeconfigSecretName });
    await this.#connect(secret?.data?.kubeconfig);
    await this.#session?.follow(this.namespaceMap);
    return done;
  }

  /** Credentials that are of no use leave a connection that works as it is: it is better than none. */
  async #connect(encoded: string | undefined): Promise<void> {
    const { kubeconfigSecretName: name } = this.#context;
    if (encoded === undefined) {
      return this.#complain(`the Secret "${name}" with the key "kubeconfig" is not there`);
    }
    if (encoded === this.#kubeconfig) return;
    try {
      const client = await this.#context.connectProvider(Buffer.from(encoded, 'base64').toString());
      await this.#session?.[Symbol.asyncDispose]();
      this.#session = new ProviderSession(this.#context, client, this.#observer);
      this.#kubeconfig = encoded;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#complain(`the kubeconfig in the Secret "${name}" is of no use: ${why}`);
    }
  }

  #complain(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#context.log.warn('Cannot connect to the provider', { reason: problem });
    this.#observer.onHealthChanged();
  }
}
