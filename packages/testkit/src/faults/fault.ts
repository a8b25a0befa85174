/**
 * What goes wrong with one call. Everything that is left out goes right. The same words serve for calls within the
 * process (`FaultyCalls`), where time is the clock's, and over real sockets (`FaultServer`).
 */
export interface Fault {
  /** It is on its way for this long, and arrives even if its sender has given up meanwhile. */
  readonly requestTakesMs?: number;
  /** Its answer is on its way back for this long. */
  readonly answerTakesMs?: number;
  /** Happens in the world when the call arrives, before the server looks at it. */
  readonly before?: () => unknown;
  /** Happens in the world when the server has acted, before anybody hears of it. */
  readonly after?: () => unknown;
  /** Answered instead of the truth. */
  readonly answer?: FaultAnswer;
  /** There is no answer at all, not even headers: this happens instead. */
  readonly noAnswer?: CutKind;
  /** With either of them: the call takes effect all the same, only its answer is lost. */
  readonly takesEffect?: boolean;
  /** The server gets it two times, one after the other; the caller gets one of the answers. */
  readonly twice?: 'first answer' | 'second answer';
  /** The headers are not sent before this resolves. */
  readonly holdHeaders?: Promise<unknown>;
  /** Every piece of the body, which is an event or several of them in a watch, takes this long; asked anew for each. */
  readonly eventsTakeMs?: number | (() => number);
  /** Every piece waits for the next one, this long at most: whoever listens is one version behind. */
  readonly eventsLagMs?: number;
  /** Tampers with the lines of the body; undefined drops the line. */
  readonly rewriteLine?: (line: string) => string | undefined;
  /** The body is sent in pieces of this size, so that lines and characters are torn apart. */
  readonly chunkBytes?: number;
  readonly cut?: FaultCut;
  /** From the moment it aborts nothing more is heard, neither the answer nor the rest of its body. */
  readonly silentAfter?: AbortSignal;
}

interface FaultAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What becomes of the body after so many of its bytes, or lines. */
export type FaultCut = { readonly how: CutKind } & (
  | { readonly afterBytes: number }
  | { readonly afterLines: number }
);

/**
 * How a connection ends. Within the process there are three ways only, which are named in brackets.
 *
 * - `refuse`: the server has not looked at the call, and the caller knows: a connection that is refused, HTTP/2's
 *   REFUSED_STREAM; HTTP/1.1 cannot say it and closes [a `TransportError` of what was not sent]
 * - `close`: the TCP connection is closed [a `TransportError`]
 * - `reset`: the TCP connection is reset [a `TransportError`]
 * - `stream`: HTTP/2's RST_STREAM with this code; the connection lives on [a `TransportError`]
 * - `goAway`: HTTP/2's GOAWAY; the body itself goes on [nothing]
 * - `end`: the body ends there, as if it were complete
 * - `stall`: nothing more is sent, and nothing is closed
 */
export type CutKind =
  | 'refuse'
  | 'close'
  | 'reset'
  | 'goAway'
  | 'end'
  | 'stall'
  | { readonly stream: number };

/** As long there as back, unless said otherwise. */
export function delayed(requestTakesMs: number, answerTakesMs = requestTakesMs): Fault {
  return { requestTakesMs, answerTakesMs };
}

/** Turned away by a busy server. `retryAfter` is seconds or a date, as it shall be on the wire. */
export function refusal(status: number, retryAfter?: string): Fault {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { answer: { status, headers, body: statusBody(status) } };
}

/** Written, but the writer is told of a failure. */
export function failAfterEffect(status: number): Fault {
  return { ...refusal(status), takesEffect: true };
}

/** Lost on the way there: no effect. */
export function lostRequest(how: CutKind): Fault {
  return { noAnswer: how };
}

/** Lost on the way back: it took effect. */
export function lostAnswer(how: CutKind): Fault {
  return { noAnswer: how, takesEffect: true };
}

export function cutAfter(afterBytes: number, how: CutKind): Fault {
  return { cut: { afterBytes, how } };
}

export function cutAfterLines(afterLines: number, how: CutKind): Fault {
  return { cut: { afterLines, how } };
}

/** Tampers with the line of this number, the first being 1. */
export function rewriteLine(number: number, rewrite: (line: string) => string | undefined): Fault {
  let seen = 0;
  return {
    rewriteLine: (line) => {
      seen += 1;
      return seen === number ? rewrite(line) : line;
    },
  };
}

/** An `ERROR` event in place of the first line of a watch. */
export function errorEvent(code: number, reason: string): Fault {
  const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason };
  return rewriteLine(1, () => JSON.stringify({ type: 'ERROR', object }));
}

export function dropBookmarks(): Fault {
  return { rewriteLine: (line) => (line.startsWith('{"type":"BOOKMARK"') ? undefined : line) };
}

/** The word that real servers send with a status; clients go by it. */
const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

function statusBody(code: number): string {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code };
  return JSON.stringify({ ...status, reason: reasons[code], message: `refused with ${code}` });
}
