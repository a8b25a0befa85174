import { systemClock, systemRandom } from '@liqo/runtime';
import { describe } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { offloadedNamespaceSuite } from './testing/offloaded-namespace-suite.ts';
import { shopGrants } from './testing/shop-suite.ts';

const grants = {
  slices: { ingressClasses: [shopGrants.ingressClass] },
  consumers: { ingressHosts: [shopGrants.ingressHost] },
};

describe('on embedded clusters', () => {
  offloadedNamespaceSuite(
    () => embeddedKubernetes({ clock: systemClock, random: systemRandom, ...grants }),
    { timeoutMs: 60_000 },
  );
});
