import type { Fault } from './fault.ts';

/** The bytes of a body as a fault leaves them, before it is cut. */
export async function* tamperWithBody(
  body: AsyncIterable<Uint8Array>,
  { rewriteLine, chunkBytes }: Fault,
): AsyncGenerator<Uint8Array> {
  const rewritten = rewriteLine ? rewriteLines(body, rewriteLine) : body;
  if (chunkBytes === undefined) return yield* rewritten;
  for await (const chunk of rewritten) yield* pieces(chunk, chunkBytes);
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

function* pieces(chunk: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += size) {
    yield chunk.subarray(start, start + size);
  }
}
