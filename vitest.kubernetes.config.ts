import { defineConfig } from 'vitest/config';

/** The product's suites on real Kubernetes, which `npm run kubernetes` prepares. */
export default defineConfig({
  test: {
    isolate: false,
    pool: 'threads',
    include: ['e2e/**/*.e2e.ts'],
    maxConcurrency: 20,
    // Timeouts are generous because several clusters share two cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', './plain-reporter.ts'],
  },
});
