import { defineConfig } from 'vitest/config';

/** The suites that need real Kubernetes: `npm run kubernetes` prepares it. */
export default defineConfig({
  test: {
    isolate: false,
    pool: 'threads',
    include: ['e2e/**/*.e2e.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './plain-reporter.ts'],
  },
});
