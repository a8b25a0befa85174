import { explain } from '../explain.ts';
import { describeFailure } from './describe-failure.ts';

/** What to write to standard error when standard output cannot be written, for example to a full disk. */
export function describeOutputFailure(error: Error): string {
  return describeFailure(explain('write the output', error));
}
