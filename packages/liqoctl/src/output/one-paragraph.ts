import { stripVTControlCharacters } from 'node:util';

/** Text of whatever origin as one paragraph: it can neither break lines nor play with the terminal. */
export function oneParagraph(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}
