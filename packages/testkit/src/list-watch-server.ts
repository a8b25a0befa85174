import {
  apiVersionOf,
  type CallSignal,
  type InProcessAnswer,
  type InProcessServer,
  type Kind,
  type KubeObject,
  keyString,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import { readRequestInfo } from '@liqo/minicluster';
import { type Change, VersionedCollection } from './versioned-collection.ts';
import { WatchStream } from './watch-stream.ts';

interface Refusal {
  readonly code: number;
  readonly reason: string;
}

/** What a request selects of the collection. */
interface Selected {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly query: URLSearchParams;
}

interface Watcher {
  readonly stream: WatchStream;
  readonly namespace: string | undefined;
}

const expired: Refusal = { code: 410, reason: 'Expired' };

/**
 * One collection as an API server shows it to readers: get, list in pages of one version, watch from a version,
 * bookmarks, and 410 for what was compacted. For tests of those who read and watch: what is `put` and `remove`d is
 * there at once, before anybody has heard of it, and watches end, break and say what the test wants, when it wants it.
 * For the rest a minicluster is the better server. Selectors are not evaluated.
 */
export class ListWatchServer<T extends KubeObject = KubeObject> {
  readonly #kind: Kind<T>;
  readonly #collection: VersionedCollection<T>;
  readonly #watchers = new Set<Watcher>();

  constructor(kind: Kind<T>) {
    this.#kind = kind;
    this.#collection = new VersionedCollection(kind);
  }

  /** For an `InProcessTransport`. */
  readonly serve: InProcessServer = async ({ method, path }, signal) => {
    const { pathname, searchParams: query } = new URL(path, 'http://in-process');
    const { verb, resource } = readRequestInfo(method, pathname, query);
    if (resource?.plural !== this.#kind.plural) return notFound();
    return this.#answer(verb, { ...resource, query }, signal);
  };

  get resourceVersion(): string {
    return String(this.#collection.version);
  }

  get openWatches(): number {
    return this.#watchers.size;
  }

  objects(): readonly Stored<T>[] {
    return this.#collection.at(this.#collection.version) ?? [];
  }

  /** Creates the object, or makes it this and keeps its UID. */
  put(object: T): Stored<T> {
    return this.#announce(this.#collection.put(object)).object;
  }

  /** False when there is no such object. */
  remove(key: ObjectKey): boolean {
    const change = this.#collection.remove(key);
    if (change) this.#announce(change);
    return change !== undefined;
  }

  /** Forgets the past: older versions, and pages of lists begun before, are answered with 410. */
  compact(): void {
    this.#collection.compact();
  }

  /** Ends every watch and takes the collection back to an earlier state, as restoring a backup does. */
  restore(resourceVersion: string, objects: readonly Stored<T>[]): void {
    this.disconnect();
    this.#collection.restore(Number(resourceVersion), objects);
  }

  /** Ends every watch as a server does after a while. Nothing that was sent is lost. */
  disconnect(): void {
    for (const { stream } of this.#watchers) stream.end();
  }

  /** Breaks every watch in the middle of a line. */
  breakConnections(): void {
    for (const { stream } of this.#watchers) {
      stream.write('{"type":"MODIFIED","obj');
      stream.break();
    }
  }

  /** Sends a line of any content on every watch. */
  sendLine(line: string): void {
    for (const { stream } of this.#watchers) stream.write(`${line}\n`);
  }

  sendBookmarks(): void {
    const metadata = { resourceVersion: this.resourceVersion };
    this.sendLine(JSON.stringify({ type: 'BOOKMARK', object: { metadata } }));
  }

  /** Tells every watch, as an event, that its version is too old, and ends it. */
  expireWatches(): void {
    this.sendLine(JSON.stringify({ type: 'ERROR', object: statusOf(expired) }));
    this.disconnect();
  }

  #answer(verb: string, selected: Selected, signal: CallSignal): InProcessAnswer {
    switch (verb) {
      case 'get':
        return this.#get(selected);
      case 'list':
        return this.#list(selected);
      case 'watch':
        return this.#watch(selected, signal);
      default:
        return refuse({ code: 405, reason: 'MethodNotAllowed' });
    }
  }

  #get({ namespace, name = '' }: Selected): InProcessAnswer {
    const object = this.#collection.get({ namespace, name });
    return object ? answer(200, object) : notFound(name);
  }

  #list({ namespace, query }: Selected): InProcessAnswer {
    const { version, after } = readToken(query.get('continue')) ?? {
      version: this.#collection.version,
      after: '',
    };
    const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
    const rest = this.#collection
      .at(version)
      ?.filter((object) => isIn(object, namespace) && keyString(object.metadata) > after);
    if (rest === undefined) return refuse(expired);
    const items = rest.slice(0, limit);
    const last = rest.length > limit ? items.at(-1) : undefined;
    const next = last && `${version} ${keyString(last.metadata)}`;
    return answer(200, {
      apiVersion: apiVersionOf(this.#kind),
      kind: `${this.#kind.kind}List`,
      metadata: { resourceVersion: String(version), continue: next },
      items: items.map((item) => ({ ...item, apiVersion: undefined, kind: undefined })),
    });
  }

  #watch({ namespace, query }: Selected, signal: CallSignal): InProcessAnswer {
    const missed = this.#collection.since(Number(query.get('resourceVersion')));
    if (missed === undefined) return refuse(expired);
    const stream = new WatchStream(signal, () => this.#watchers.delete(watcher));
    const watcher: Watcher = { stream, namespace };
    this.#watchers.add(watcher);
    for (const change of missed) tell(watcher, change);
    return { status: 200, body: stream };
  }

  #announce(change: Change<T>): Change<T> {
    for (const watcher of this.#watchers) tell(watcher, change);
    return change;
  }
}

function tell({ stream, namespace }: Watcher, { type, object }: Change<KubeObject>): void {
  if (isIn(object, namespace)) stream.write(`${JSON.stringify({ type, object })}\n`);
}

function isIn(object: Stored<KubeObject>, namespace: string | undefined): boolean {
  return namespace === undefined || object.metadata.namespace === namespace;
}

function readToken(token: string | null): { version: number; after: string } | undefined {
  if (token === null) return undefined;
  const [version, after = ''] = token.split(' ');
  return { version: Number(version), after };
}

function refuse(refusal: Refusal): InProcessAnswer {
  return answer(refusal.code, statusOf(refusal));
}

/** A 404 that names no object speaks of the path. */
function notFound(name?: string): InProcessAnswer {
  const status = statusOf({ code: 404, reason: 'NotFound' });
  return answer(404, name === undefined ? status : { ...status, details: { name } });
}

function statusOf({ code, reason }: Refusal): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason };
}

function answer(status: number, body: object): InProcessAnswer {
  return { status, body: JSON.stringify(body) };
}
