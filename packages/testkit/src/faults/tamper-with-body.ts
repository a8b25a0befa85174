import { type CallSignal, type Clock, sleep } from '@liqo/kube';
import type { Fault } from './fault.ts';
import { untilAborted } from './until-aborted.ts';

/** The bytes of a body as a fault leaves them, before it is cut. */
export function tamperWithBody(
  body: AsyncIterable<Uint8Array>,
  fault: Fault,
  clock: Clock,
  signal: CallSignal,
): AsyncIterable<Uint8Array> {
  const { rewriteLine, chunkBytes } = fault;
  const rewritten = rewriteLine ? rewriteLines(body, rewriteLine) : body;
  const heard = holdUp(rewritten, fault, clock, signal);
  return chunkBytes === undefined ? heard : tearApart(heard, chunkBytes);
}

/** The pieces of a body, whatever they are, when a fault lets them through. */
export function holdUp<T>(
  pieces: AsyncIterable<T>,
  { eventsTakeMs, eventsLagMs, silentAfter }: Fault,
  clock: Clock,
  signal: CallSignal,
): AsyncIterable<T> {
  const behind = eventsLagMs ? lag(pieces, clock, eventsLagMs) : pieces;
  const late = eventsTakeMs ? delay(behind, clock, eventsTakeMs, signal) : behind;
  return silentAfter ? silence(late, silentAfter, signal) : late;
}

async function* silence<T>(
  pieces: AsyncIterable<T>,
  silent: CallSignal,
  signal: CallSignal,
): AsyncGenerator<T, void> {
  for await (const piece of pieces) {
    if (silent.aborted) return untilAborted(signal);
    yield piece;
  }
  if (silent.aborted) await untilAborted(signal);
}

async function* lag<T>(pieces: AsyncIterable<T>, clock: Clock, ms: number): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (let next = await iterator.next(); !next.done; ) {
      const piece = next.value;
      const following = iterator.next();
      await settlesOrTimePasses(following, clock, ms);
      yield piece;
      next = await following;
    }
  } finally {
    // Not awaited: it may wait for an event that never comes.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** A failure is for whoever awaits the promise itself. */
function settlesOrTimePasses(promise: Promise<unknown>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, resolve);
    const settle = () => {
      timer.cancel();
      resolve();
    };
    promise.then(settle, settle);
  });
}

async function* delay<T>(
  pieces: AsyncIterable<T>,
  clock: Clock,
  eventsTakeMs: number | (() => number),
  signal: CallSignal,
): AsyncGenerator<T> {
  for await (const piece of pieces) {
    const ms = typeof eventsTakeMs === 'number' ? eventsTakeMs : eventsTakeMs();
    // When nobody reads any more, nobody waits either.
    if (ms > 0) await sleep(clock, ms, signal).catch(() => undefined);
    if (signal.aborted) return;
    yield piece;
  }
}

/** The chunks of a watch of ours are made of whole lines. */
async function* rewriteLines(
  body: AsyncIterable<Uint8Array>,
  rewrite: (line: string) => string | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    const lines = Buffer.from(chunk).toString('utf8').split('\n').slice(0, -1);
    const kept = lines.map(rewrite).filter((line) => line !== undefined);
    if (kept.length > 0) yield Buffer.from(`${kept.join('\n')}\n`);
  }
}

async function* tearApart(
  body: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let start = 0; start < chunk.length; start += size) {
      yield chunk.subarray(start, start + size);
    }
  }
}
