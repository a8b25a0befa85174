import type { Readable } from 'node:stream';

export interface BodyOutcome {
  /** Asked when the stream has ended: a stream that was cut off ends too. */
  isWhole(): boolean;
  /** Words why it ended early. */
  failure(): unknown;
}

/** The whole of a body as text, or a rejection: never a part of it. */
export function collectText(stream: Readable, outcome: BodyOutcome): Promise<string> {
  return new Promise((resolve, reject) => {
    if (stream.destroyed) return reject(outcome.failure());
    const chunks: Buffer[] = [];
    let ended = false;
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => {
      ended = true;
      if (!outcome.isWhole()) return reject(outcome.failure());
      const [first] = chunks;
      resolve((chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString('utf8'));
    });
    stream.once('close', () => {
      if (!ended) reject(outcome.failure());
    });
  });
}
