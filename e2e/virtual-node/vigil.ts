import {
  type Client,
  findCondition,
  type Kind,
  type KubeObject,
  Node,
  Pod,
  type Selection,
  type Stored,
} from '@liqo/kube';

/** Says what is wrong with an object, if anything. */
type Judge<T extends KubeObject> = (object: Stored<T>) => string | undefined;

/**
 * Watches a node and the pods that are on it at the beginning, and writes down every moment at which one of them was not
 * ready, or gone.
 */
export class Vigil implements AsyncDisposable {
  readonly #client: Client;
  readonly #lapses: string[] = [];
  readonly #stop = new AbortController();
  readonly #watches: Promise<void>[] = [];

  private constructor(client: Client) {
    this.#client = client;
  }

  static async begin(client: Client, node: string): Promise<Vigil> {
    const vigil = new Vigil(client);
    await vigil.#watch(Node, { fieldSelector: `metadata.name=${node}` }, whyNotReady);
    await vigil.#watch(Pod, { fieldSelector: `spec.nodeName=${node}` }, (pod) => {
      const { phase } = pod.status ?? {};
      return phase === 'Running' ? whyNotReady(pod) : `is ${phase}`;
    });
    return vigil;
  }

  /** None, if all went well. */
  get lapses(): readonly string[] {
    return this.#lapses;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#watches);
  }

  async #watch<T extends KubeObject>(
    kind: Kind<T>,
    selection: Selection,
    judge: Judge<T>,
  ): Promise<void> {
    const { items, resourceVersion } = await this.#client.list(kind, selection);
    const known = new Set(items.map(({ metadata }) => metadata.uid));
    const note = ({ metadata }: Stored<T>, lapse: string | undefined) => {
      if (lapse) this.#lapses.push(`${kind.kind} "${metadata.name}" ${lapse}`);
    };
    for (const item of items) note(item, judge(item));
    const follow = async () => {
      const options = { ...selection, resourceVersion };
      for await (const change of this.#client.watch(kind, options, this.#stop.signal)) {
        if (change.type === 'BOOKMARK' || !known.has(change.object.metadata.uid)) continue;
        note(change.object, change.type === 'DELETED' ? 'is gone' : judge(change.object));
      }
    };
    const goBlind = (error: unknown) => {
      if (!this.#stop.signal.aborted) this.#lapses.push(`${kind.kind} cannot be seen: ${error}`);
    };
    this.#watches.push(follow().catch(goBlind));
  }
}

function whyNotReady({ status }: Node | Pod): string | undefined {
  const ready = findCondition(status?.conditions, 'Ready');
  return ready?.status === 'True' ? undefined : `is not ready: ${ready?.reason ?? 'no condition'}`;
}
