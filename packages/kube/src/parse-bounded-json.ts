import { countJsonValues } from './count-json-values.ts';
import { ResponseTooLargeError } from './response-limits.ts';

/** Parses a text from a server. One with too many values is a `ResponseTooLargeError`, and is not parsed. */
export function parseBoundedJson(text: string, maxValues: number): unknown {
  // Every value but the first takes two characters at least.
  if (text.length / 2 > maxValues && countJsonValues(text) > maxValues) {
    throw new ResponseTooLargeError(`Cannot read the answer: it has more than ${maxValues} values`);
  }
  return JSON.parse(text);
}
