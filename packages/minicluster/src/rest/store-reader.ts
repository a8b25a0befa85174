import {
  type Call,
  CallEnd,
  type CallSignal,
  type Kind,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type ObjectList,
  optionsOf,
  type Selection,
  type Stored,
  type WatchEvent,
  type WatchOptions,
} from '@liqo/kube';
import type { KindReader } from '../kind-reader.ts';
import type { Item } from '../store/collection.ts';
import type { ApiRequest } from './api-request.ts';
import { listObjects } from './list-objects.ts';
import { ObjectStore } from './object-store.ts';
import { expired, noSuchPath } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import { watchObjects } from './watch-objects.ts';

type ReaderParts = Pick<ServerParts, 'store' | 'registry' | 'clock'>;

const user = { name: 'system:apiserver', groups: ['system:masters'], extra: {} };
/** A watch is over when its reader says so, not before. */
const endlessSeconds = 1e9;

/**
 * Reads what the server holds without asking it: no request, no JSON, nobody in between. What it gives is what is stored,
 * and therefore not for its readers to change.
 */
export class StoreReader implements KindReader {
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  async get<T extends KubeObject>(
    kind: Kind<T>,
    { namespace, name }: ObjectKey,
    call?: Call,
  ): Promise<Stored<T> | undefined> {
    optionsOf(call).signal?.throwIfAborted();
    const resource = this.#resourceOf(kind);
    const key = namespace ? `${namespace}/${name}` : name;
    const found = new ObjectStore(this.#parts.store, resource).get(key);
    return found && (shown(resource, found) as Stored<T>);
  }

  async list<T extends KubeObject>(
    kind: Kind<T>,
    call?: Call<ListOptions>,
  ): Promise<ObjectList<T>> {
    const { signal = new CallEnd(), ...selection } = optionsOf(call);
    signal.throwIfAborted();
    const resource = this.#resourceOf(kind);
    const request = requestFor(resource, selection, signal);
    const { items, metadata } = listObjects(this.#parts.store, resource, request);
    const { resourceVersion } = metadata;
    return { items: items.map((item) => shown(resource, item)) as Stored<T>[], resourceVersion };
  }

  async *watch<T extends KubeObject>(
    kind: Kind<T>,
    options: WatchOptions,
    signal: CallSignal = new CallEnd(),
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const resource = this.#resourceOf(kind);
    const request = requestFor(resource, options, signal);
    request.query.set('resourceVersion', options.resourceVersion);
    for await (const batch of watchObjects(this.#parts, resource, request)) {
      for (const { type, object } of batch) {
        if (type === 'BOOKMARK') continue;
        yield { type, object: shown(resource, object as Item) as Stored<T> };
      }
    }
    if (!signal.aborted) throw expired('the watch has fallen behind');
  }

  #resourceOf({ group, version, plural }: Kind): Resource {
    const resource = this.#parts.registry.find(group, version, plural);
    if (!resource) throw noSuchPath();
    return resource;
  }
}

function shown({ strategy }: Resource, item: Item): Item {
  return strategy.onRead?.(item) ?? item;
}

function requestFor(resource: Resource, selection: Selection, signal: CallSignal): ApiRequest {
  const { group, version, plural } = resource;
  const { namespace, labelSelector = '', fieldSelector = '' } = selection;
  const target = { group, version, plural, namespace, name: undefined, subresource: '', rest: '' };
  const query = { labelSelector, fieldSelector, timeoutSeconds: String(endlessSeconds) };
  return {
    method: 'GET',
    info: { verb: 'list', path: '', resource: target },
    query: new URLSearchParams(query),
    headers: {},
    body: '',
    user,
    signal,
    warn: () => undefined,
  };
}
