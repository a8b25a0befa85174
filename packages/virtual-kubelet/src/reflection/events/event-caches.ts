import { CoreEvent, Event, type Stored } from '@liqo/kube';
import { type RemoteEvent, readRemoteEvent, reflectedSelector } from '@liqo/model';
import { type Informer, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../../kubelet-context.ts';
import type { ReflectedNamespace } from '../reflected-namespace.ts';

interface EventCachesOptions {
  readonly context: KubeletContext;
  readonly namespace: ReflectedNamespace;
  /** Told of an Event at the provider that is new or has been counted up. */
  readonly onRemote: (event: Stored<CoreEvent>) => void;
}

/** The Events of one namespace at the provider, and what this cluster has of them. */
export class EventCaches implements AsyncDisposable {
  readonly namespace: ReflectedNamespace;
  readonly local: Informer<Event>;
  readonly remote: Informer<CoreEvent>;

  constructor({ context, namespace, onRemote }: EventCachesOptions) {
    const { clock, random, log, local: client } = context;
    const { name, route } = namespace;
    this.namespace = namespace;
    this.local = startInformer({
      client,
      kind: Event,
      clock,
      random,
      log: log.with({ namespace: name }),
      selection: { namespace: name, labelSelector: reflectedSelector(route) },
      transform: withoutNote,
    });
    this.remote = startInformer({
      client: namespace.client,
      kind: CoreEvent,
      clock,
      random,
      log: log.with({ namespace: route.remoteNamespace }),
      selection: { namespace: route.remoteNamespace },
      transform: readRemoteEvent,
    });
    // Nothing follows from an Event that is gone: the other cluster forgets it as well.
    this.remote.subscribe({ onAdd: onRemote, onUpdate: (_, now) => onRemote(now) });
  }

  get hasSynced(): boolean {
    return this.local.hasSynced && this.remote.hasSynced;
  }

  /** Rejects when it is disposed of before. */
  async synced(): Promise<void> {
    await Promise.all([this.local.synced(), this.remote.synced()]);
  }

  /** As `readRemoteEvent` gave it. */
  findRemote(name: string): Stored<RemoteEvent> | undefined {
    const { remoteNamespace: namespace } = this.namespace.route;
    return this.remote.get({ namespace, name }) as Stored<RemoteEvent> | undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.local[Symbol.asyncDispose](), this.remote[Symbol.asyncDispose]()]);
  }
}

/** What was written once is not written again; only the count may be. */
function withoutNote({ apiVersion, kind, metadata, eventTime, series }: Stored<Event>) {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const kept = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    apiVersion,
    kind,
    metadata: kept,
    eventTime,
    ...(series && { series }),
  } as Stored<Event>;
}
