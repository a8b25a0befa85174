import { defineConfig } from 'vitest/config';
import kubernetes from './vitest.kubernetes.config.ts';

/** The suites that judge the ground on real Kubernetes: `npm run verify`. */
export default defineConfig({
  test: { ...kubernetes.test, include: ['e2e/**/*.verify.ts'] },
});
