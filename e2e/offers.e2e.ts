import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { describe } from 'vitest';
import { offerSuite } from '../packages/playground/src/testing/offer-suite.ts';

describe('on real clusters', () => {
  const patient = { timeoutMs: 120_000, intervalMs: 100 };
  offerSuite(async () => realKubernetes({ clock: systemClock }), patient);
});
