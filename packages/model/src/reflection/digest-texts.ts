import { hashText, isJsonObject } from '@liqo/kube';

/** Shorter than a digest, so that no text that is kept can pass for one. */
const longestKept = 64;
const deepest = 64;

/**
 * A JSON value with a digest in the place of every long text: enough to see whether another value is the same, in a fraction
 * of the memory. Values nested deeper than any Kubernetes object are left out.
 */
export function digestTexts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return digestText(value);
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((item) => digestTexts(item, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, digestTexts(member, depth + 1)]),
  );
}

export function digestText(text: string): string {
  if (text.length <= longestKept) return text;
  return `digest:${hashText(text)}:${text.length}`.padEnd(longestKept + 1, ' ');
}
