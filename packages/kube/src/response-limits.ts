/**
 * Upper bounds on what one call accepts from a server. A server that exceeds one fails that call, and nothing else of the
 * process: its answers are data from outside.
 */
const mebibyte = 1024 * 1024;

/** One response body. The API server stores no object above 3 MiB; a page of 500 objects is usually below 10 MiB. */
export const maxBodyBytes = 64 * mebibyte;

/** One event of a watch, in UTF-16 code units. */
export const maxLineLength = 16 * mebibyte;

/** JSON values in one object or one event of a watch: they take memory, however short they are. */
export const maxObjectValues = 1_000_000;

export interface ListLimits {
  readonly maxPages: number;
  /** The JSON values of one page. */
  readonly maxPageValues: number;
  /** All pages of one list together. */
  readonly maxListBytes: number;
  readonly maxListValues: number;
}

export const defaultListLimits: ListLimits = {
  maxPages: 10_000,
  maxPageValues: 10_000_000,
  maxListBytes: 512 * mebibyte,
  maxListValues: 50_000_000,
};

export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
}
