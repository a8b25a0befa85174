import { systemClock, systemRandom } from '@liqo/runtime';
import { describe } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { offerSuite } from './testing/offer-suite.ts';

describe('on embedded clusters', () => {
  offerSuite(() => embeddedKubernetes({ clock: systemClock, random: systemRandom }), {
    timeoutMs: 30_000,
  });
});
