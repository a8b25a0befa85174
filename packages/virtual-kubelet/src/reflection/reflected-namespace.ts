import type { Client, Kind, KubeObject, Stored } from '@liqo/kube';
import { type ReflectionRoute, readReflected, reflectedSelector } from '@liqo/model';
import { type Informer, type InformerOptions, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { RelatedCaches } from './related-caches.ts';

/** A namespace that is reflected. */
export interface ReflectedNamespace {
  /** Its name at the consumer. */
  readonly name: string;
  /** Of the provider. */
  readonly client: Client;
  readonly route: Omit<ReflectionRoute, 'policy'>;
  /** Whether the provider can be written to, as far as it is known. */
  readonly isReachable: () => boolean;
}

interface NamespaceCachesOptions<L extends KubeObject, R extends KubeObject> {
  readonly context: KubeletContext;
  readonly namespace: ReflectedNamespace;
  readonly kind: Kind<L>;
  readonly remoteKind: Kind<R>;
  readonly readLocal: InformerOptions<L>['transform'];
  readonly readRemote: InformerOptions<R>['transform'];
  readonly onFailure: (side: 'local' | 'remote', failure: unknown) => void;
  /** Of other objects, on which the copies depend. */
  readonly related?: RelatedCaches;
  /** Told of an object at the consumer that has changed. */
  readonly onLocal: (object: Stored<L>) => void;
  /** Told of a copy at the provider that has changed. */
  readonly onRemote: (object: Stored<R>) => void;
}

/**
 * The objects of one kind in one namespace, on both sides. Of the provider's only copies that this consumer has made are
 * kept, with digests for their content.
 */
export class NamespaceCaches<L extends KubeObject, R extends KubeObject>
  implements AsyncDisposable
{
  readonly namespace: ReflectedNamespace;
  readonly local: Informer<L>;
  readonly remote: Informer<R>;
  readonly #related: RelatedCaches | undefined;

  constructor(options: NamespaceCachesOptions<L, R>) {
    const { context, namespace, kind, remoteKind, onLocal, onRemote, onFailure } = options;
    const { readLocal, readRemote = readReflected } = options;
    const { clock, random, log } = context;
    const { client, route } = namespace;
    this.namespace = namespace;
    this.#related = options.related;
    this.local = startInformer({
      client: context.local,
      kind,
      clock,
      random,
      log: log.with({ namespace: namespace.name }),
      selection: { namespace: namespace.name },
      ...(readLocal && { transform: readLocal }),
      onFailure: (failure) => onFailure('local', failure),
    });
    const selection = { namespace: route.remoteNamespace, labelSelector: reflectedSelector(route) };
    this.remote = startInformer({
      client,
      kind: remoteKind,
      clock,
      random,
      log: log.with({ namespace: route.remoteNamespace }),
      selection,
      transform: readRemote,
      onFailure: (failure) => onFailure('remote', failure),
    });
    this.local.subscribe({ onAdd: onLocal, onUpdate: (_, now) => onLocal(now), onDelete: onLocal });
    this.remote.subscribe({
      onAdd: onRemote,
      onUpdate: (_, now) => onRemote(now),
      onDelete: onRemote,
    });
  }

  /** Of objects to be looked at that may be in neither cache. */
  get furtherNames(): readonly string[] {
    return this.#related?.names?.() ?? [];
  }

  get hasSynced(): boolean {
    return this.#all.every(({ hasSynced }) => hasSynced);
  }

  /** Rejects when it is disposed of before. */
  async synced(): Promise<void> {
    await Promise.all(this.#all.map((caches) => caches.synced()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((caches) => caches[Symbol.asyncDispose]()));
  }

  get #all(): readonly RelatedCaches[] {
    return [this.local, this.remote, ...(this.#related ? [this.#related] : [])];
  }
}
