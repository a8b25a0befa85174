import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    // Not threads: while one starts a program, that has everybody's sockets for a moment, and their ports are not free.
    pool: 'forks',
    // By default one processor is left idle.
    maxWorkers: '100%',
    include: [
      'packages/*/src/**/*.test.ts',
      'e2e/**/*.test.ts',
      'examples/**/*.test.ts',
      '*.test.ts',
    ],
    // A busy machine is slow, not broken.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './plain-reporter.ts'],
  },
});
