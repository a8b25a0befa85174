import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import { ApiError, isTransient } from './api-error.ts';
import type { Selection } from './call-options.ts';
import { selectionQuery } from './call-options.ts';
import type { CallSignal } from './call-signal.ts';
import { type Clock, sleep } from './clock.ts';
import type { Kind } from './kind.ts';
import { LineSplitter } from './line-splitter.ts';
import type { KubeObject, Stored } from './object.ts';
import { parseBoundedJson } from './parse-bounded-json.ts';
import { jitter, type Random } from './random.ts';
import { resourcePath } from './resource-path.ts';
import { maxObjectValues, ResponseTooLargeError } from './response-limits.ts';
import { SilenceGuard } from './silence-guard.ts';
import { TransportError, type TransportRequest, type TransportResponse } from './transport.ts';

export interface WatchOptions extends Selection {
  /** Changes after this one are delivered: the version of a list, or of the last bookmark seen. */
  readonly resourceVersion: string;
  /** First every object that exists, as `ADDED`, then a bookmark that says so, then the changes: a list by watch. */
  readonly sendInitialEvents?: boolean;
  /**
   * A connection on which nothing at all came for this long is taken for dead. Servers send a bookmark about once a
   * minute.
   */
  readonly silenceMs?: number;
  /** Told when the server has accepted a connection of this watch, and when that connection has ended. */
  readonly onConnection?: (isOpen: boolean) => void;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Stored<T> }
  | {
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
      /** Everything that existed has been delivered. */
      readonly initialEventsEnd: boolean;
    };

/** The stream carried something that is no event. What it was meant to say is lost: only a list can tell. */
export class MalformedWatchError extends Error {
  override readonly name = 'MalformedWatchError';
}

/** What a watch needs of the world. */
export interface WatchIo {
  readonly clock: Clock;
  readonly random: Random;
  /** Rejects with an `ApiError` when the server refuses. */
  open(request: TransportRequest, signal: CallSignal): Promise<TransportResponse>;
}

const defaultSilenceMs = 150_000;
const firstBackoffMs = 50;
/** When whatever was in the way is gone, nobody should have to wait much longer. */
const longestBackoffMs = 2_500;
/** A connection that held for this long was a good one, even if nothing happened. */
const healthyAfterMs = 10_000;

/**
 * The changes of a collection, across as many connections as it takes.
 *
 * A connection that ends, for whatever reason, is opened again from the last version seen: at once when it had
 * delivered something new or held for a while (a server ends the watch of a reader that falls behind, and any watch
 * after some minutes: normal life), after a growing wait otherwise.
 *
 * It ends when the signal aborts. It throws, and the caller has to list anew, when events may have been lost or going
 * on makes no sense: the version is too old (410, as an answer or as an event), an event could not be read or is too large, the server
 * reported an error in the stream, refused for a reason that time alone does not heal, or anything at all happened
 * before the initial events were complete.
 */
export async function* watchResource<T extends KubeObject>(
  io: WatchIo,
  kind: Kind<T>,
  options: WatchOptions,
  signal?: AbortSignal,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  let at: Position = { sendInitialEvents: false, ...options };
  let failures = 0;
  while (!signal?.aborted) {
    const from = at;
    const openedMs = io.clock.monotonicMs();
    let [ending, reported]: [unknown?, ApiError?] = [];
    try {
      for await (const event of watchOnce(io, kind, { ...options, ...from }, signal)) {
        if (event.type === 'ERROR') {
          reported = event.error;
          break;
        }
        at = positionAfter(event, at);
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (at.sendInitialEvents || !isTransient(error)) throw error;
      ending = error;
    }
    if (reported) throw reported;
    if (at.sendInitialEvents && !signal?.aborted) throw endedTooSoon();
    const livedMs = io.clock.monotonicMs() - openedMs;
    const wasGood = at.resourceVersion !== from.resourceVersion || livedMs >= healthyAfterMs;
    failures = wasGood ? 0 : failures + 1;
    await untilNextAttempt(io, failures, ending, signal);
  }
}

/** Where to go on from. */
type Position = Required<Pick<WatchOptions, 'resourceVersion' | 'sendInitialEvents'>>;

/** The versions of initial events are in no order: only the bookmark behind them can be gone on from. */
function positionAfter(event: WatchEvent<KubeObject>, at: Position): Position {
  if (event.type === 'BOOKMARK') {
    const sendInitialEvents = at.sendInitialEvents && !event.initialEventsEnd;
    return { resourceVersion: event.resourceVersion, sendInitialEvents };
  }
  if (at.sendInitialEvents) return at;
  return { ...at, resourceVersion: event.object.metadata.resourceVersion };
}

function endedTooSoon(): TransportError {
  const message = 'The watch ended before the initial events were complete';
  return new TransportError(message, { sent: true });
}

/** Ends early, and quietly, when the signal aborts: the loop sees it. */
async function untilNextAttempt(
  io: WatchIo,
  failures: number,
  ending: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const askedMs = ending instanceof ApiError ? (ending.retryAfterMs ?? 0) : 0;
  const growingMs = failures === 0 ? 0 : Math.min(longestBackoffMs, firstBackoffMs * 2 ** failures);
  const waitMs = askedMs + jitter(io.random, growingMs, 0.5);
  if (waitMs > 0) await sleep(io.clock, waitMs, signal).catch(() => undefined);
}

/** The events of one connection. */
async function* watchOnce<T extends KubeObject>(
  io: WatchIo,
  kind: Kind<T>,
  options: WatchOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T> | ErrorEvent, void, undefined> {
  const silence = new SilenceGuard(io.clock, options.silenceMs ?? defaultSilenceMs, signal);
  let isOpen = false;
  try {
    const request = watchRequest(kind, options, io.random);
    const response = await io.open(request, silence.signal);
    isOpen = true;
    options.onConnection?.(true);
    const splitter = new LineSplitter();
    for await (const piece of response.values?.() ?? response.chunks()) {
      silence.heard();
      const said = piece instanceof Uint8Array ? parseLines(linesOf(splitter, piece)) : piece;
      for (const event of said) yield readEvent(event);
    }
  } finally {
    silence.end();
    if (isOpen) options.onConnection?.(false);
  }
}

function linesOf(splitter: LineSplitter, chunk: Uint8Array): readonly string[] {
  try {
    return splitter.push(chunk);
  } catch (cause) {
    if (cause instanceof ResponseTooLargeError) throw cause;
    throw new MalformedWatchError('Cannot read a watch event: it is not UTF-8', { cause });
  }
}

/** One by one: what stands before a bad line counts. */
function* parseLines(lines: readonly string[]): Generator<unknown, void, undefined> {
  for (const line of lines) {
    if (line !== '') yield parseLine(line);
  }
}

function parseLine(line: string): unknown {
  try {
    return parseBoundedJson(line, maxObjectValues);
  } catch (cause) {
    if (cause instanceof ResponseTooLargeError) throw cause;
    throw new MalformedWatchError('Cannot read a watch event: the line is not JSON', { cause });
  }
}

/** Servers end a watch after `timeoutSeconds`; the jitter keeps the watches of one process from all ending at once. */
function watchRequest(kind: Kind, options: WatchOptions, random: Random): TransportRequest {
  const query = {
    ...selectionQuery(options),
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
    ...(options.sendInitialEvents && {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
    }),
    timeoutSeconds: Math.round(300 + 300 * random()),
  };
  return { method: 'GET', path: resourcePath(kind, { namespace: options.namespace }, query) };
}

interface WireEvent {
  readonly type: string;
  readonly object: Stored<KubeObject>;
}

/** What the server reports in place of an event. */
interface ErrorEvent {
  readonly type: 'ERROR';
  readonly error: ApiError;
}

function readEvent<T extends KubeObject>(event: unknown): WatchEvent<T> | ErrorEvent {
  const { type, object } = requireEvent(event);
  if (type === 'ERROR') return { type, error: new ApiError(object as Status) };
  const { resourceVersion, annotations } = object.metadata ?? {};
  if (typeof resourceVersion !== 'string' || resourceVersion === '') {
    throw new MalformedWatchError('Cannot read a watch event: no resourceVersion');
  }
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: object as Stored<T> };
    case 'BOOKMARK': {
      const initialEventsEnd = annotations?.['k8s.io/initial-events-end'] === 'true';
      return { type, resourceVersion, initialEventsEnd };
    }
    default:
      throw new MalformedWatchError(`Cannot read a watch event: unknown type "${type}"`);
  }
}

function requireEvent(value: unknown): WireEvent {
  const event = value as Partial<WireEvent> | null;
  if (
    typeof event?.type === 'string' &&
    typeof event.object === 'object' &&
    event.object !== null
  ) {
    return event as WireEvent;
  }
  throw new MalformedWatchError('Cannot read a watch event: no type or no object');
}
