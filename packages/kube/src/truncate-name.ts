import { hashLength, hashText } from './hash.ts';

/**
 * The name itself if it is short enough; else its beginning and a hash of the whole, so that long names which begin
 * alike stay different. The same name always gives the same result, and of a valid name it is a valid name.
 */
export function truncateName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const room = maxLength - hashLength - 1;
  if (room < 1) {
    throw new RangeError(`Cannot truncate "${name}" to ${maxLength} characters: a hash needs more`);
  }
  return `${withoutTrailingPunctuation(name.slice(0, room))}-${hashText(name)}`;
}

/** A name part may not end where a label must not. */
function withoutTrailingPunctuation(start: string): string {
  return start.replace(/[-_.]+$/, '');
}
