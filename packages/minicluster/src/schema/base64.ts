import { DecodeError } from './decode-error.ts';

/**
 * The canonical spelling of what a base64 text encodes. As the server reads it: line breaks are skipped, padding is
 * required.
 */
export function canonicalBase64(text: string): string {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new DecodeError(`illegal base64 data at input byte ${firstIllegalByte(text)}`);
  }
  return Buffer.from(compact, 'base64').toString('base64');
}

/** Where Go's decoder gives up: at the bad character, or at the start of a group of four that is not complete. */
function firstIllegalByte(text: string): number {
  let group = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '\r' || character === '\n') continue;
    if (character === '=') return paddingFault(text, index, group);
    if (!/[A-Za-z0-9+/]/.test(character)) return index;
    group = (group + 1) % 4;
  }
  return text.length - group;
}

function paddingFault(text: string, index: number, group: number): number {
  if (group < 2) return index;
  const end = group === 2 ? text.indexOf('=', index + 1) : index;
  if (end < 0) return index + 1 >= text.length ? text.length : index;
  return end + 1;
}
