/** Commands of pages that are not typed by the reader, and what runs them instead. */
export const elsewhere: Readonly<Record<string, string>> = {
  'npm ci': '.ci/run, its first step',
  'npm ci && npm test': '.ci/run, its first two steps',
  'npm run kubernetes -- nodes': '.ci/run, before the suites on real Kubernetes',
};

/** Pages that take real clusters with real nodes: `e2e/docs-real-clusters.e2e.ts` follows them. */
export const followedOnRealClusters: readonly string[] = [
  'docs/guides/own-clusters.md',
  'docs/guides/real-clusters.md',
];
