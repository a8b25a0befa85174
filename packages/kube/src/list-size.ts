import { type ListLimits, ResponseTooLargeError } from './response-limits.ts';

/** Adds up the pages of one list and throws as soon as they exceed their limits. */
export class ListSize {
  readonly #limits: ListLimits;
  readonly #plural: string;
  #pages = 0;
  #bytes = 0;

  constructor(limits: ListLimits, plural: string) {
    this.#limits = limits;
    this.#plural = plural;
  }

  get isExceeded(): boolean {
    return this.#pages > this.#limits.maxPages || this.#bytes > this.#limits.maxListBytes;
  }

  add(bytes: number): void {
    this.#pages += 1;
    this.#bytes += bytes;
    if (!this.isExceeded) return;
    const { maxPages, maxListBytes } = this.#limits;
    throw new ResponseTooLargeError(
      `Cannot list ${this.#plural}: the answers exceed ${maxPages} pages or ${maxListBytes} bytes`,
    );
  }
}
