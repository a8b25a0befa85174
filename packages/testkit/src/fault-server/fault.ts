/** What goes wrong with one request. Everything that is left out goes right. */
export interface Fault {
  /** Answered instead of the truth. */
  readonly answer?: FaultAnswer;
  /** There is no answer at all, not even headers: this happens instead. */
  readonly noAnswer?: CutKind;
  /** With either of them: the request takes effect all the same, only its answer is lost. */
  readonly takesEffect?: boolean;
  /** The headers are not sent before this resolves. */
  readonly holdHeaders?: Promise<unknown>;
  /** Tampers with the lines of the body; undefined drops the line. */
  readonly rewriteLine?: (line: string) => string | undefined;
  /** The body is sent in pieces of this size, so that lines and characters are torn apart. */
  readonly chunkBytes?: number;
  readonly cut?: FaultCut;
}

interface FaultAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What becomes of the body after so many of its bytes. */
interface FaultCut {
  readonly afterBytes: number;
  readonly how: CutKind;
}

/**
 * - `end`: the body ends there, as if it were complete
 * - `close`: the TCP connection is closed
 * - `reset`: the TCP connection is reset
 * - `stream`: HTTP/2's RST_STREAM with this code; the connection lives on
 * - `goAway`: HTTP/2's GOAWAY; the body itself goes on
 * - `stall`: nothing more is sent, and nothing is closed
 */
export type CutKind = 'end' | 'close' | 'reset' | 'goAway' | 'stall' | { readonly stream: number };

/** Turned away by a busy server. `retryAfter` is seconds or a date, as it shall be on the wire. */
export function refusal(status: number, retryAfter?: string): Fault {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { answer: { status, headers, body: statusBody(status) } };
}

/** Written, but the writer is told of a failure. */
export function failAfterEffect(status: number): Fault {
  return { ...refusal(status), takesEffect: true };
}

export function cutAfter(afterBytes: number, how: CutKind): Fault {
  return { cut: { afterBytes, how } };
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

function statusBody(code: number): string {
  const message = `refused with ${code}`;
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message });
}
