import { explain } from '../explain.ts';
import { oneParagraph } from './one-paragraph.ts';

/** The line for standard error when standard output cannot be written, for example to a full disk. */
export function describeOutputFailure(error: Error): string {
  const { message, hint } = explain('write the output', error);
  return `✖ ${oneParagraph(`${message}. ${hint}`)}\n`;
}
