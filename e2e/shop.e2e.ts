import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { describe } from 'vitest';
import { offloadedNamespaceSuite } from '../packages/playground/src/testing/offloaded-namespace-suite.ts';

describe('on real clusters', () => {
  const patient = { timeoutMs: 120_000, intervalMs: 100 };
  offloadedNamespaceSuite(async () => realKubernetes({ clock: systemClock }), patient);
});
