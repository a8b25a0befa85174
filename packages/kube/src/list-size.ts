import { countJsonValues } from './count-json-values.ts';
import { type ListLimits, ResponseTooLargeError } from './response-limits.ts';

/** Adds up the pages of one list and throws as soon as they exceed their limits. */
export class ListSize {
  readonly #limits: ListLimits;
  readonly #plural: string;
  #pages = 0;
  #bytes = 0;
  #values = 0;

  constructor(limits: ListLimits, plural: string) {
    this.#limits = limits;
    this.#plural = plural;
  }

  get isExceeded(): boolean {
    const { maxPages, maxListBytes, maxListValues } = this.#limits;
    return this.#pages > maxPages || this.#bytes > maxListBytes || this.#values > maxListValues;
  }

  /** Takes in the text of a page. A page that is too large by itself adds nothing: it may be asked for in smaller parts. */
  add(page: string): void {
    const values = countJsonValues(page);
    const { maxPages, maxPageValues, maxListBytes, maxListValues } = this.#limits;
    if (values > maxPageValues) {
      throw new ResponseTooLargeError(
        `Cannot list ${this.#plural}: a page has more than ${maxPageValues} values`,
      );
    }
    this.#pages += 1;
    this.#bytes += page.length;
    this.#values += values;
    if (!this.isExceeded) return;
    throw new ResponseTooLargeError(
      `Cannot list ${this.#plural}: the answers exceed ${maxPages} pages, ${maxListBytes} bytes or ${maxListValues} values`,
    );
  }
}
