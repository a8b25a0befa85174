import { systemClock, systemRandom } from '@liqo/runtime';
import { describe } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { offloadedNamespaceSuite } from './testing/offloaded-namespace-suite.ts';

describe('on embedded clusters', () => {
  offloadedNamespaceSuite(() => embeddedKubernetes({ clock: systemClock, random: systemRandom }), {
    timeoutMs: 60_000,
  });
});
