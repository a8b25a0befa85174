/** Several failures as one text, in the form of kube-controller-manager; undefined if there are none. */
export function joinFailures(failures: readonly string[]): string | undefined {
  const distinct = [...new Set(failures)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : distinct[0];
}
