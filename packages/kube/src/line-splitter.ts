import { maxLineLength, ResponseTooLargeError } from './response-limits.ts';

/**
 * The bytes of a stream, cut into lines whatever the chunks: a character split between two chunks is put together. Bytes
 * that are not UTF-8 are a `TypeError`, never another character. A line above `maxLineLength` is a `ResponseTooLargeError`.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #rest = '';

  /** The lines that end in this chunk, without their line feeds. */
  push(chunk: Uint8Array): string[] {
    const lines = this.#decoder.decode(chunk, { stream: true }).split('\n');
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > maxLineLength) {
      this.#rest = '';
      throw new ResponseTooLargeError(
        `Cannot read the line: it exceeds ${maxLineLength} characters`,
      );
    }
    return lines;
  }
}
