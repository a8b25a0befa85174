import { type Clock, sleep } from '@liqo/kube';
import type { Fault } from './fault.ts';
import { untilAborted } from './until-aborted.ts';

/** The bytes of a body as a fault leaves them, before it is cut. */
export function tamperWithBody(
  body: AsyncIterable<Uint8Array>,
  { rewriteLine, chunkBytes, eventsTakeMs, eventsLagMs, silentAfter }: Fault,
  clock: Clock,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const rewritten = rewriteLine ? rewriteLines(body, rewriteLine) : body;
  const behind = eventsLagMs ? lag(rewritten, clock, eventsLagMs) : rewritten;
  const late = eventsTakeMs ? delay(behind, clock, eventsTakeMs, signal) : behind;
  const heard = silentAfter ? silence(late, silentAfter, signal) : late;
  return chunkBytes === undefined ? heard : tearApart(heard, chunkBytes);
}

async function* silence(
  body: AsyncIterable<Uint8Array>,
  silent: AbortSignal,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (silent.aborted) return untilAborted(signal);
    yield chunk;
  }
  if (silent.aborted) await untilAborted(signal);
}

async function* lag(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  ms: number,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (let next = await chunks.next(); !next.done; ) {
      const chunk = next.value;
      const following = chunks.next();
      await settlesOrTimePasses(following, clock, ms);
      yield chunk;
      next = await following;
    }
  } finally {
    // Not awaited: it may wait for an event that never comes.
    void Promise.resolve(chunks.return?.()).catch(() => undefined);
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

async function* delay(
  body: AsyncIterable<Uint8Array>,
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // When nobody reads any more, nobody waits either.
    await sleep(clock, ms, signal).catch(() => undefined);
    if (signal.aborted) return;
    yield chunk;
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
