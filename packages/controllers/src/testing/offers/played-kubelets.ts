import {
  Advertisement,
  ClusterConfig,
  labels,
  labelValues,
  VirtualNode,
  virtualKubeletName,
} from '@liqo/api';
import {
  type Client,
  Deployment,
  isAlreadyExists,
  isNotFound,
  type Kind,
  type KubeObject,
  Node,
  Pod,
  type Stored,
} from '@liqo/kube';

/** What became of an object. */
export interface Happening {
  /** Of the object, which puts the happenings of all kinds in one order. */
  readonly version: number;
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly kind: string;
  readonly object: Stored<KubeObject>;
}

const prefix = virtualKubeletName('');
const nodeOf = (deployment: Stored<Deployment>) => deployment.metadata.name.slice(prefix.length);

/**
 * What virtual kubelets do, without a provider: a Deployment has a Node, with one pod bound to it, and pods that are deleted
 * leave the Node. It remembers what became of all objects that an offer leads to.
 */
export class PlayedKubelets implements AsyncDisposable {
  /** Of all kinds, in the order in which each of them tells it. */
  readonly history: Happening[] = [];
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #watches: Promise<void>[] = [];

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(client: Client): Promise<PlayedKubelets> {
    const kubelets = new PlayedKubelets(client);
    await kubelets.#watch(Deployment, (type, deployment) =>
      type === 'ADDED' ? kubelets.#begin(deployment) : undefined,
    );
    await kubelets.#watch(Node, (type, node) =>
      type === 'DELETED' ? kubelets.#createAgain(node) : undefined,
    );
    await kubelets.#watch(Pod, (type, pod) =>
      type === 'DELETED' ? undefined : kubelets.#letGo(pod),
    );
    for (const kind of [Advertisement, ClusterConfig, VirtualNode]) {
      await kubelets.#watch(kind as Kind<KubeObject>, () => undefined);
    }
    return kubelets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#watches);
  }

  async #watch<T extends KubeObject>(
    kind: Kind<T>,
    play: (type: Happening['type'], object: Stored<T>) => Promise<void> | undefined,
  ): Promise<void> {
    const { resourceVersion } = await this.#client.list(kind);
    this.#watches.push(this.#follow(kind, resourceVersion, play));
  }

  async #follow<T extends KubeObject>(
    kind: Kind<T>,
    resourceVersion: string,
    play: (type: Happening['type'], object: Stored<T>) => Promise<void> | undefined,
  ): Promise<void> {
    const { signal } = this.#stop;
    for await (const event of this.#client.watch(kind, { resourceVersion }, signal)) {
      if (event.type === 'BOOKMARK') continue;
      const { type, object } = event;
      const version = Number(object.metadata.resourceVersion);
      this.history.push({ version, type, kind: kind.kind, object });
      await play(type, object);
    }
  }

  async #begin(deployment: Stored<Deployment>): Promise<void> {
    const name = nodeOf(deployment);
    await this.#createNode(name, deployment.metadata.labels);
    const { items } = await this.#podsOn(name);
    for (const pod of items) await this.#letGo(pod);
    if (items.length > 0) return;
    await this.#client.create(Pod, {
      metadata: { namespace: 'shop', generateName: `${name}-` },
      spec: {
        nodeName: name,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'web', image: 'nginx' }],
      },
    });
  }

  async #createNode(name: string, marks: Readonly<Record<string, string>> = {}): Promise<void> {
    const provider = marks[labels.remoteClusterID] ?? '';
    const nodeLabels = {
      [labels.type]: labelValues.virtualNode,
      [labels.remoteClusterID]: provider,
    };
    try {
      await this.#client.create(Node, { metadata: { name, labels: nodeLabels } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** A virtual kubelet leaves the Node alone once its VirtualNode is being deleted. */
  async #createAgain({ metadata: { name, labels: marks } }: Stored<Node>): Promise<void> {
    const { items } = await this.#client.list(VirtualNode);
    const isWanted = items.some(
      ({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined,
    );
    if (isWanted && (await this.#isRunning(name))) await this.#createNode(name, marks);
  }

  async #letGo({ metadata, spec }: Stored<Pod>): Promise<void> {
    const { deletionTimestamp, name, namespace, uid } = metadata;
    if (deletionTimestamp === undefined || !(await this.#isRunning(spec?.nodeName ?? ''))) return;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await this.#client.delete(Pod, { namespace, name }, options).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }

  async #isRunning(nodeName: string): Promise<boolean> {
    const { items } = await this.#client.list(Deployment);
    return items.some(({ metadata }) => metadata.name === virtualKubeletName(nodeName));
  }

  #podsOn(nodeName: string) {
    return this.#client.list(Pod, { fieldSelector: `spec.nodeName=${nodeName}` });
  }
}
