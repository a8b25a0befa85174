import { ApiError, type Clock, type KubeObject, type Timer } from '@liqo/kube';
import type { Change, Item } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import type { ApiRequest } from './api-request.ts';
import { noVersion, parseRevision } from './list-objects.ts';
import { ObjectStore } from './object-store.ts';
import { expired, type FieldProblem, invalid } from './refusal.ts';
import { isTrue } from './request-info.ts';
import type { Resource } from './resource.ts';
import { readSelection, type Selection } from './selection.ts';
import type { ServerParts } from './server-parts.ts';

export interface WatchedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

const usualBookmarkEveryMs = 60_000;
/** Sent at once; a reader that has fallen behind gets the rest when it asks for more. */
const largestBatch = 500;

/**
 * The changes a watch asks for, in batches that are there at the same time, until its time is up, its reader is too
 * slow or its signal aborts. Refusals are thrown before the first batch.
 */
export function watchObjects(
  { store, clock, bookmarkEveryMs = usualBookmarkEveryMs }: WatchParts,
  resource: Resource,
  request: ApiRequest,
): AsyncGenerator<readonly WatchedEvent[], void, undefined> {
  const selection = readSelection(resource, request);
  const initial = isTrue(request.query.get('sendInitialEvents'));
  if (initial) refuseBadInitial(request);
  const asked = request.query.get('resourceVersion') ?? '';
  const revision = asked === '' || asked === '0' ? undefined : readRevision(asked);
  const objects = new ObjectStore(store, resource);
  if (revision !== undefined && !initial && !objects.collection.log.remembers(revision)) {
    throw expired(`too old resource version: ${asked}`);
  }
  const start = initial || revision === undefined ? store.revision : revision;
  // Without a version the server begins with what is there.
  const existing = initial || revision === undefined ? selected(objects, selection) : [];
  const watch = { store, clock, bookmarkEveryMs, resource, request, objects, selection, initial };
  return stream(watch, start, existing);
}

/** A watch from a version that is none takes the real server by surprise. */
function readRevision(text: string): number {
  const revision = parseRevision(text);
  if (revision !== undefined) return revision;
  throw new ApiError({ status: 'Failure', code: 500, message: noVersion(text) });
}

type WatchParts = Pick<ServerParts, 'store' | 'clock' | 'bookmarkEveryMs'>;

interface Watch {
  readonly store: Store;
  readonly clock: Clock;
  readonly bookmarkEveryMs: number;
  readonly resource: Resource;
  readonly request: ApiRequest;
  readonly objects: ObjectStore;
  readonly selection: Selection;
  readonly initial: boolean;
}

async function* stream(
  watch: Watch,
  start: number,
  existing: readonly Item[],
): AsyncGenerator<readonly WatchedEvent[], void, undefined> {
  const wakeUp = new WakeUp(watch);
  const bookmarks = isTrue(watch.request.query.get('allowWatchBookmarks'));
  let position = start;
  try {
    const opening: WatchedEvent[] = existing.map((object) => ({ type: 'ADDED', object }));
    if (watch.initial && bookmarks) opening.push(bookmark(watch.resource, position, true));
    if (opening.length > 0) yield opening;
    while (!wakeUp.ended) {
      const missed = watch.objects.collection.log.since(position);
      // The reader was too slow: it resumes from where it was, or is told that this is too old.
      if (missed === undefined) return;
      const changes = missed.slice(0, largestBatch);
      const events = changes.flatMap((change) => eventOf(watch, change));
      position = changes.at(-1)?.revision ?? position;
      if (missed.length <= largestBatch && wakeUp.takeBookmark() && bookmarks) {
        position = Math.max(position, watch.store.revision);
        events.push(bookmark(watch.resource, position, false));
      }
      if (events.length > 0) yield events;
      else if (missed.length <= largestBatch) await wakeUp.next();
    }
    if (bookmarks && !watch.request.signal.aborted) {
      yield [bookmark(watch.resource, Math.max(position, watch.store.revision), false)];
    }
  } finally {
    wakeUp.end();
  }
}

/** To a watcher with a selector, an object that starts to match is new, and one that stops is gone. */
function eventOf({ objects, selection }: Watch, change: Change): WatchedEvent[] {
  const object = objects.view(change.item);
  const was = change.previous !== undefined && selection.matches(objects.view(change.previous));
  const is = change.type !== 'DELETED' && selection.matches(object);
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', object }];
  if (!was) return [];
  const last = change.previous ? objects.view(change.previous) : object;
  const { resourceVersion } = object.metadata;
  return [
    { type: 'DELETED', object: { ...last, metadata: { ...last.metadata, resourceVersion } } },
  ];
}

function selected(objects: ObjectStore, selection: Selection): Item[] {
  const all = objects.collection.list().map((item) => objects.view(item));
  return all.filter((item) => selection.matches(item));
}

function bookmark(resource: Resource, revision: number, initialEventsEnd: boolean): WatchedEvent {
  const { group, version, kind } = resource;
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const object = {
    kind,
    apiVersion: group ? `${group}/${version}` : version,
    metadata: { resourceVersion: String(revision), ...(initialEventsEnd && { annotations }) },
  };
  return { type: 'BOOKMARK', object };
}

function refuseBadInitial(request: ApiRequest): void {
  const match = request.query.get('resourceVersionMatch');
  if (match === 'NotOlderThan') return;
  const problem: FieldProblem = {
    field: 'resourceVersionMatch',
    reason: 'FieldValueForbidden',
    message: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  };
  throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [problem]);
}

/** What a watch waits for: a change, the time for a bookmark, its end. */
class WakeUp {
  ended: boolean;
  #bookmarkDue = false;
  #wake: (() => void) | undefined;
  readonly #cleanUp: (() => void)[];

  constructor({ clock, bookmarkEveryMs, request, objects }: Watch) {
    const { signal, query } = request;
    this.ended = signal.aborted;
    const timeoutSeconds = Number(query.get('timeoutSeconds') || 1800);
    const end = () => {
      this.ended = true;
      this.#wake?.();
    };
    signal.addEventListener('abort', end, { once: true });
    const timeout = clock.after(timeoutSeconds * 1000, end);
    let tick: Timer | undefined;
    const awaitTick = () => {
      tick = clock.after(bookmarkEveryMs, () => {
        this.#bookmarkDue = true;
        awaitTick();
        this.#wake?.();
      });
    };
    if (isTrue(query.get('allowWatchBookmarks'))) awaitTick();
    this.#cleanUp = [
      objects.collection.log.subscribe(() => this.#wake?.()),
      () => signal.removeEventListener('abort', end),
      () => timeout.cancel(),
      () => tick?.cancel(),
    ];
  }

  takeBookmark(): boolean {
    const due = this.#bookmarkDue;
    this.#bookmarkDue = false;
    return due;
  }

  next(): Promise<void> {
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  end(): void {
    for (const cleanUp of this.#cleanUp) cleanUp();
  }
}
