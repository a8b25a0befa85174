import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '@liqo/kube';

/** A hint with what a server said about a large object. */
const maxBytes = 64 * 1024;

/** Text of whatever origin as one paragraph: it can neither break lines nor play with the terminal. */
export function oneParagraph(text: string): string {
  return oneLine(stripVTControlCharacters(text).replace(/\s+/g, ' '), maxBytes);
}
