/** Several errors in one message, each of them once, as the server joins them: `[a, b]`, or just `a`. */
export function joinErrors(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
