import type { NamespaceMap } from '@liqo/api';
import type { Client, ObjectKey } from '@liqo/kube';
import { acceptedNamespaces, isBeingDeleted, type NamespaceMapping } from '@liqo/model';
import type { KubeletContext } from '../kubelet-context.ts';
import { type RemoteNamespace, WatchedNamespace } from './remote-namespace.ts';

/** The namespaces of ours that a provider has accepted, each watched over there. */
export class RemoteNamespaces implements AsyncDisposable {
  readonly #context: KubeletContext;
  readonly #client: Client;
  readonly #watched = new Map<string, WatchedNamespace>();
  /** Accepted namespaces that were deleted at the provider and are created again, by their names here. */
  #deleted: ReadonlySet<string> = new Set();
  readonly #onPodChanged: (pod: ObjectKey) => void;
  readonly #onNamespaceChanged: (namespace: string) => void;

  constructor(options: {
    readonly context: KubeletContext;
    readonly client: Client;
    readonly onPodChanged: (pod: ObjectKey) => void;
    /** Told when a namespace begins or ends to be of use. */
    readonly onNamespaceChanged: (namespace: string) => void;
  }) {
    this.#context = options.context;
    this.#client = options.client;
    this.#onPodChanged = options.onPodChanged;
    this.#onNamespaceChanged = options.onNamespaceChanged;
  }

  /** By its name here. */
  of(namespace: string): RemoteNamespace | undefined {
    return this.#watched.get(namespace);
  }

  /** Those that exist, by their names at the provider. One that is being deleted loses its RoleBinding before it is gone. */
  get names(): readonly string[] {
    return [...this.#watched]
      .filter(([local]) => !this.#deleted.has(local))
      .map(([, { name }]) => name);
  }

  /** Those that the consumer asks for: their names at the provider by their names here. */
  get wanted(): ReadonlyMap<string, string> {
    const wanted = [...this.#watched].filter(([, { isWanted }]) => isWanted);
    return new Map(wanted.map(([local, { name }]) => [local, name]));
  }

  /** The longest time for which a namespace has not been watched, among those that are not refused. */
  silentForMs(refused: readonly string[]): number {
    const silences = [...this.#watched.values()]
      .filter(({ name }) => !refused.includes(name))
      .map(({ silentForMs }) => silentForMs);
    return Math.max(0, ...silences);
  }

  /** Watches the namespaces that the consumer asks for and the provider has accepted, and nothing else. */
  async follow(map: NamespaceMap | undefined): Promise<void> {
    const accepted = acceptedNamespaces(map, this.#context.liqoNamespace);
    const mappings = Object.entries(map?.status?.currentMapping ?? {});
    const deleted = mappings.filter(([, mapping]) => isBeingDeleted(mapping));
    this.#deleted = new Set(deleted.map(([local]) => local));
    const answers = new Map(Object.entries(map?.status?.currentMapping ?? {}));
    for (const [local, watched] of this.#watched) {
      const isWanted = accepted.get(local) === watched.name;
      if (!isWanted && !isHeld(watched, answers.get(local))) await this.#forget(local, watched);
      else if (watched.isWanted !== isWanted) {
        watched.isWanted = isWanted;
        this.#onNamespaceChanged(local);
      }
    }
    for (const [local, remote] of accepted) {
      if (!this.#watched.has(local)) this.#watch(local, remote);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#watched.values()];
    this.#watched.clear();
    await Promise.all(all.map((watched) => watched[Symbol.asyncDispose]()));
  }

  #watch(local: string, remote: string): void {
    const watched = new WatchedNamespace({
      context: this.#context,
      client: this.#client,
      remote,
      onChange: (name) => this.#onPodChanged({ namespace: local, name }),
      onSynced: () => this.#lookAtAll(local, watched),
      onFirst: () => this.#onNamespaceChanged(local),
    });
    this.#watched.set(local, watched);
  }

  /** Also at what nobody here has a pod for: it could not be judged before everything was seen. */
  #lookAtAll(namespace: string, { shadowPods }: WatchedNamespace): void {
    this.#onNamespaceChanged(namespace);
    for (const { metadata } of shadowPods.list()) {
      this.#onPodChanged({ namespace, name: metadata.name });
    }
  }

  async #forget(local: string, watched: WatchedNamespace): Promise<void> {
    this.#watched.delete(local);
    await watched[Symbol.asyncDispose]();
    this.#onNamespaceChanged(local);
  }
}

/** Whether the provider still has a namespace that the consumer does not ask for any more. */
function isHeld({ name }: RemoteNamespace, answer: NamespaceMapping | undefined): boolean {
  return answer?.phase === 'Accepted' && answer.remoteNamespace === name;
}
