import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import { ApiError } from './api-error.ts';
import { type CallDeadline, withDeadline } from './call-deadline.ts';
import type { CallOptions } from './call-options.ts';
import type { CallSignal } from './call-signal.ts';
import { type Clock, sleep } from './clock.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { isJsonObject } from './json.ts';
import type { LimitBounds } from './learnt-limit.ts';
import { parseBoundedJson } from './parse-bounded-json.ts';
import { jitter, type Random } from './random.ts';
import { parseRetryAfter } from './retry-after.ts';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type UpgradedConnection,
} from './transport.ts';
import { parseWarnings } from './warning-header.ts';

export interface RequesterOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly limit?: LimitBounds | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface Exchange<T> {
  readonly request: TransportRequest;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** False when a refusal is an answer that the caller wants to see at once. */
  readonly repeat?: boolean | undefined;
  /** Reads the response; its time counts as part of the call. */
  readonly read: (response: TransportResponse) => Promise<T>;
}

/** Attempts at one call before its last error is the caller's: further ones are for a queue with its own back-off. */
const maxAttempts = 5;
const firstBackoffMs = 100;

/**
 * One exchange with the server, as often as it takes.
 *
 * Repeated are: what the server turned away with a Retry-After (429 always, 503 for reads), and what was lost on a
 * broken connection if it was never sent or only reads. A write that may have taken effect is never sent twice.
 * The wait before a repetition is what the server asked for, with jitter on top; a wait that would pass the deadline
 * is not begun, and the refusal itself is thrown, so that its `retryAfterMs` reaches whoever schedules the next try.
 */
export class Requester {
  readonly limit: ConcurrencyLimit;
  readonly #options: RequesterOptions;

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.limit = new ConcurrencyLimit(options.limit);
  }

  call<T>(exchange: Exchange<T>): Promise<T> {
    const limit = this.#deadlineOf(exchange.request, exchange.timeoutMs);
    const { clock } = limit;
    const endsMs = clock.monotonicMs() + limit.timeoutMs;
    return withDeadline(limit, exchange.signal, async (signal) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(exchange, signal);
        } catch (error) {
          if (exchange.repeat === false || attempt >= maxAttempts) throw error;
          const waitMs = this.#waitBeforeRepeating(error, exchange.request, attempt);
          if (waitMs === undefined || clock.monotonicMs() + waitMs >= endsMs) throw error;
          await sleep(clock, waitMs, signal);
        }
      }
    });
  }

  /** Sends without a limit or deadline of its own: for streams, which live as long as their reader wants. */
  async open(
    request: TransportRequest,
    signal: CallSignal | undefined,
    { returnRedirects = false } = {},
  ): Promise<TransportResponse> {
    const response = await this.#options.transport.send(this.#dressed(request), signal);
    const { warning } = response.headers;
    if (warning) for (const text of parseWarnings(warning)) this.#options.onWarning?.(text);
    // A redirect is an error, unless asked for: an address in an answer is not one to send credentials to.
    if (response.status < (returnRedirects ? 400 : 300)) return response;
    throw await this.#readError(response);
  }

  /** Switches protocols within the time of a call; the connection then belongs to the caller. */
  upgrade(request: TransportRequest, call: CallOptions): Promise<UpgradedConnection> {
    const limit = this.#deadlineOf(request, call.timeoutMs);
    return withDeadline(limit, call.signal, async (signal) => {
      const answer = await this.#options.transport.upgrade(this.#dressed(request), signal);
      if ('stream' in answer) return answer;
      throw await this.#readError(answer);
    });
  }

  async #readError(response: TransportResponse): Promise<ApiError> {
    const retryAfterMs = parseRetryAfter(
      response.headers['retry-after'],
      this.#options.clock.now(),
    );
    const said = response.value ? response.value() : parseStatus(await response.text());
    return new ApiError(statusOf(response.status, said), { retryAfterMs });
  }

  async #attempt<T>(exchange: Exchange<T>, signal: CallSignal): Promise<T> {
    await this.limit.acquire(signal, () => namespaceOf(exchange.request));
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    let outcome: 'answered' | 'refused' | 'failed' = 'failed';
    try {
      const response = await this.open(exchange.request, signal);
      outcome = 'answered';
      return await exchange.read(response);
    } catch (error) {
      if (error instanceof ApiError)
        outcome = saysTooMuch(error, exchange) ? 'refused' : 'answered';
      throw error;
    } finally {
      this.limit.release(outcome, startedMs, clock.monotonicMs());
    }
  }

  #waitBeforeRepeating(
    error: unknown,
    request: TransportRequest,
    attempt: number,
  ): number | undefined {
    const reads = request.method === 'GET';
    const { random } = this.#options;
    if (error instanceof TransportError && (reads || !error.sent)) {
      return jitter(random, firstBackoffMs * 2 ** (attempt - 1), 0.5);
    }
    if (!(error instanceof ApiError) || error.retryAfterMs === undefined) return undefined;
    if (error.code !== 429 && !(reads && error.code === 503)) return undefined;
    return error.retryAfterMs + random() * firstBackoffMs * 2 ** attempt;
  }

  #deadlineOf(request: TransportRequest, timeoutMs = this.#options.timeoutMs): CallDeadline {
    const what = () => `${request.method} ${pathOnly(request)}`;
    return { clock: this.#options.clock, timeoutMs, what };
  }

  #dressed(request: TransportRequest): TransportRequest {
    const headers = {
      accept: 'application/json',
      'user-agent': this.#options.userAgent,
      ...request.headers,
    };
    return { ...request, headers };
  }
}

/** Where a refusal is an answer, a 429 speaks of the object, as an eviction's does, and not of the server's load. */
function saysTooMuch(error: ApiError, { repeat }: Exchange<unknown>): boolean {
  return error.code === 429 && repeat !== false;
}

/** What the server said, or what its HTTP status says when a proxy in between answered something else. */
function statusOf(code: number, answer: unknown): Status {
  if (isStatus(answer))
    return { ...answer, code: typeof answer.code === 'number' ? answer.code : code };
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const said = text.trim().slice(0, 200);
  return {
    code,
    reason: reasonOf(code),
    message: `The server answered ${code}${said && `: ${said}`}`,
  };
}

function isStatus(answer: unknown): answer is Status {
  return isJsonObject(answer) && answer.kind === 'Status';
}

/** A Status has a few causes; a page of an intermediary is not parsed. */
const maxStatusValues = 100_000;

/** Text that is no status stays text: a load balancer's own page, say. */
function parseStatus(text: string): unknown {
  try {
    const parsed = parseBoundedJson(text, maxStatusValues);
    return isStatus(parsed) ? parsed : text;
  } catch {
    // Not JSON, or too much of it: statusOf() words it from the HTTP status.
    return text;
  }
}

function reasonOf(code: number): string {
  switch (code) {
    case 401:
      return 'Unauthorized';
    case 403:
      return 'Forbidden';
    case 410:
      return 'Gone';
    case 429:
      return 'TooManyRequests';
    case 503:
      return 'ServiceUnavailable';
    case 504:
      return 'Timeout';
    default:
      return '';
  }
}

/** Those of one namespace wait behind each other, and not those of all others behind them. */
function namespaceOf({ path }: TransportRequest): string {
  return /\/namespaces\/([^/?]+)/.exec(path)?.[1] ?? '';
}

function pathOnly(request: TransportRequest): string {
  return request.path.split('?', 1)[0] ?? request.path;
}
