import { jsonItems } from '../json-items.ts';

/** A list of strings as a CEL literal: strings of JSON are strings of CEL. */
export function celList(items: readonly string[]): string {
  return `[${jsonItems(items)}]`;
}
