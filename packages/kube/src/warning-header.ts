/** The texts of a `Warning` header, in which an API server tells a client about deprecated or ignored fields. */
export function parseWarnings(header: string | undefined): string[] {
  if (header === undefined) return [];
  const quoted = header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(quoted, ([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
