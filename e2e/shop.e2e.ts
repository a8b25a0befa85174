import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { describe } from 'vitest';
import { offloadedNamespaceSuite } from '../packages/playground/src/testing/offloaded-namespace-suite.ts';
import { shopGrants } from '../packages/playground/src/testing/shop-suite.ts';
import { installChart } from './install/install-chart.ts';

const settings = [
  `slices.ingressClasses[0]=${shopGrants.ingressClass}`,
  `consumers.ingressHosts[0]=${shopGrants.ingressHost}`,
];

const start = async () =>
  realKubernetes({
    clock: systemClock,
    install: (cluster: RealCluster, { consumer } = {}) =>
      installChart(cluster, { consumer, settings }),
  });

describe('on real clusters', () => {
  offloadedNamespaceSuite(start, { timeoutMs: 120_000, intervalMs: 100 });
});
