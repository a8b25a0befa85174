import { Advertisement, VirtualNode } from '@liqo/api';
import {
  type Client,
  Deployment,
  type Kind,
  type KubeObject,
  Node,
  Pod,
  type Stored,
} from '@liqo/kube';

type NameStep<T extends KubeObject> = (type: string, object: Stored<T>) => string | undefined;

/**
 * What becomes of a virtual node, of the offer that it was made of and of the pods of "web" on it, from now on, as the API
 * server tells it.
 */
export class TakeDownWatch implements AsyncDisposable {
  readonly #client: Client;
  readonly #steps = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #watches: readonly Promise<void>[];

  constructor(client: Client, name = 'mynode') {
    this.#client = client;
    this.#watches = [
      this.#note(Node, (type, { metadata, spec }) => {
        if (metadata.name !== name) return undefined;
        if (type === 'DELETED') return 'Node gone';
        return spec?.unschedulable && !this.#steps.has('cordoned') ? 'cordoned' : undefined;
      }),
      this.#note(Pod, (type, { metadata, spec }) => {
        const isOurs = metadata.labels?.app === 'web' && spec?.nodeName === name;
        return isOurs && type === 'DELETED' ? 'last pod gone' : undefined;
      }),
      this.#note(Deployment, (type, { metadata }) =>
        metadata.name === `vk-${name}` && type === 'DELETED' ? 'virtual kubelet gone' : undefined,
      ),
      this.#note(VirtualNode, (type, { metadata }) =>
        metadata.name === name && type === 'DELETED' ? 'VirtualNode gone' : undefined,
      ),
      this.#note(Advertisement, (type) => (type === 'DELETED' ? 'Advertisement gone' : undefined)),
    ];
  }

  /** In the order of the versions of the changes that made them. */
  get steps(): readonly string[] {
    return [...this.#steps].sort(([, a], [, b]) => a - b).map(([step]) => step);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#watches);
  }

  async #note<T extends KubeObject>(kind: Kind<T>, name: NameStep<T>): Promise<void> {
    const { resourceVersion } = await this.#client.list(kind);
    const changes = this.#client.watch(kind, { resourceVersion }, this.#stop.signal);
    for await (const change of changes) {
      if (change.type === 'BOOKMARK') continue;
      const step = name(change.type, change.object);
      const version = Number(change.object.metadata.resourceVersion);
      if (step) this.#steps.set(step, Math.max(version, this.#steps.get(step) ?? 0));
    }
  }
}

/** The seed's. */
export const takeDownOrder: readonly string[] = [
  'cordoned',
  'last pod gone',
  'Node gone',
  'virtual kubelet gone',
  'VirtualNode gone',
];
