import type { UserError } from '../user-error.ts';
import { oneParagraph } from './one-paragraph.ts';

/** Two lines for standard error: what could not be done and why, then what to do next. */
export function describeFailure({ message, hint }: UserError, mark = '✖'): string {
  return `${mark} ${oneParagraph(message)}\n  ${oneParagraph(hint)}\n`;
}
