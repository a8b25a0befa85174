import { defineConfig } from 'vitest/config';

/** The suites that need real Kubernetes: `npm run kubernetes` prepares it. */
export default defineConfig({
  test: {
    isolate: false,
    pool: 'threads',
    include: ['e2e/**/*.e2e.ts'],
    maxConcurrency: 20,
    // Whole clusters may share two processors with each other: they are slow then, not broken.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', './plain-reporter.ts'],
  },
});
