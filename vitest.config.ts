import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    pool: 'threads',
    include: ['packages/*/src/**/*.test.ts', '*.test.ts'],
    reporters: ['default', './plain-reporter.ts'],
  },
});
