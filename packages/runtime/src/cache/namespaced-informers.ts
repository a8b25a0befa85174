import type { Kind, KubeObject, Namespace, ObjectKey, Stored } from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import type { CachedReader } from './cached-reader.ts';
import { type Informer, type InformerOptions, startInformer } from './informer.ts';
import { HandlerList, type ObjectHandlers } from './object-handlers.ts';

export interface NamespacedInformersOptions<T extends KubeObject, I extends string = never>
  extends InformerOptions<T, I> {
  /** The namespaces to watch in, as they come and go. Not disposed of here. */
  readonly namespaces: Informer<Namespace>;
  /** Whether the rights to list and watch in a namespace exist; always when absent. `recheck` asks again. */
  readonly isReadable?: (namespace: Stored<Namespace>) => boolean;
}

interface Member<T extends KubeObject, I extends string> {
  readonly informer: Informer<T, I>;
  readonly subscription: Disposable;
}

/**
 * The objects of some namespaces as one cache, with a list and a watch in each of them: no right on the kind is needed in any
 * other namespace.
 *
 * It counts as synced once the namespaces are known. A namespace that cannot be listed keeps only its own objects from being
 * seen: `isComplete` says whether the objects of a namespace are known. A namespace that goes takes its objects with it, as
 * deletes.
 */
export class NamespacedInformers<T extends KubeObject, I extends string = never>
  implements CachedReader<T, I>, AsyncDisposable
{
  readonly kind: Kind<T>;
  readonly #options: NamespacedInformersOptions<T, I>;
  readonly #log: Logger;
  readonly #handlers: HandlerList<T>;
  readonly #members = new Map<string, Member<T, I>>();
  readonly #ending = new Set<Promise<void>>();
  readonly #subscription: Disposable;

  constructor(options: NamespacedInformersOptions<T, I>) {
    this.kind = options.kind;
    this.#options = options;
    this.#log = options.log.with({ kind: options.kind.kind });
    this.#handlers = new HandlerList(this.#log);
    const recheck = ({ metadata }: Stored<Namespace>) => this.recheck(metadata.name);
    this.#subscription = options.namespaces.subscribe({ onAdd: recheck, onDelete: recheck });
  }

  get hasSynced(): boolean {
    return this.#options.namespaces.hasSynced;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#options.namespaces.synced(signal);
  }

  /** Starts or ends watching in a namespace whose rights have changed. */
  recheck(name: string): void {
    const { namespaces, isReadable = () => true } = this.#options;
    const namespace = namespaces.hasSynced ? namespaces.get({ name }) : undefined;
    const isWanted = namespace !== undefined && isReadable(namespace);
    if (isWanted && !this.#members.has(name)) this.#add(name);
    if (!isWanted) this.#remove(name);
  }

  /** Whether the namespace is watched: it is one of the namespaces, and readable. */
  isWatched(namespace: string): boolean {
    return this.#members.has(namespace);
  }

  /** Whether the objects of the namespace have been listed. */
  isComplete(namespace: string): boolean {
    return this.#members.get(namespace)?.informer.hasSynced ?? false;
  }

  get(key: ObjectKey): Stored<T> | undefined {
    const [informer] = this.#readable(key.namespace ?? '');
    return informer?.get(key);
  }

  list(namespace?: string): readonly Stored<T>[] {
    return this.#readable(namespace).flatMap((informer) => informer.list());
  }

  count(namespace: string): number {
    const [informer] = this.#readable(namespace);
    return informer?.count(namespace) ?? 0;
  }

  byIndex(index: I, value: string): readonly Stored<T>[] {
    return this.#readable().flatMap((informer) => informer.byIndex(index, value));
  }

  subscribe(handlers: ObjectHandlers<T>): Disposable {
    return this.#handlers.attach(handlers, this.list());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    for (const { informer, subscription } of this.#members.values()) {
      subscription[Symbol.dispose]();
      this.#end(informer);
    }
    this.#members.clear();
    await Promise.all(this.#ending);
  }

  #readable(namespace?: string): readonly Informer<T, I>[] {
    const all = [...this.#members].filter(
      ([name]) => namespace === undefined || name === namespace,
    );
    return all.map(([, { informer }]) => informer).filter(({ hasSynced }) => hasSynced);
  }

  #add(namespace: string): void {
    const { namespaces: _, isReadable: __, ...options } = this.#options;
    const selection = { ...options.selection, namespace };
    const informer = startInformer<T, I>({ ...options, selection, log: this.#log });
    const subscription = informer.subscribe({
      onAdd: (after, isInitialList) =>
        this.#handlers.tell([{ before: undefined, after }], isInitialList),
      onUpdate: (before, after) => this.#handlers.tell([{ before, after }], false),
      onDelete: (before) => this.#handlers.tell([{ before, after: undefined }], false),
    });
    this.#members.set(namespace, { informer, subscription });
  }

  #remove(namespace: string): void {
    const member = this.#members.get(namespace);
    if (!member) return;
    const { informer, subscription } = member;
    const gone = this.list(namespace);
    subscription[Symbol.dispose]();
    this.#members.delete(namespace);
    this.#end(informer);
    this.#handlers.tell(
      gone.map((before) => ({ before, after: undefined })),
      false,
    );
  }

  #end(informer: Informer<T, I>): void {
    const ended = informer[Symbol.asyncDispose]().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }
}
