import type { Readable } from 'node:stream';
import { maxBodyBytes, ResponseTooLargeError } from '../response-limits.ts';

export interface BodyOutcome {
  /** Asked when the stream has ended: a stream that was cut off ends too. */
  isWhole(): boolean;
  /** Words why it ended early. */
  failure(): unknown;
  /** Gives up the rest of the stream. */
  cancel(): void;
}

/** The whole body as text, or a rejection: never a part of it. A body above `maxBodyBytes` is not read to its end. */
export function collectText(stream: Readable, outcome: BodyOutcome): Promise<string> {
  return new Promise((resolve, reject) => {
    if (stream.destroyed) return reject(outcome.failure());
    const chunks: Buffer[] = [];
    let ended = false;
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) return chunks.push(chunk);
      chunks.length = 0;
      reject(
        new ResponseTooLargeError(`Cannot read the response: it exceeds ${maxBodyBytes} bytes`),
      );
      outcome.cancel();
    });
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
