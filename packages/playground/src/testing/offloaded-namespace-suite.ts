import { afterAll, beforeAll, describe } from 'vitest';
import type { Kubernetes, WorldCluster } from '../kubernetes.ts';
import { startWorld } from '../start-world.ts';
import type { World } from '../world.ts';
import { labelledNamespaceSuite } from './labelled-namespace-suite.ts';
import { shopSuite } from './shop-suite.ts';

/** What users of a consumer do with its namespaces, on any Kubernetes: one after the other, between the same clusters. */
export function offloadedNamespaceSuite<C extends WorldCluster<C>>(
  provide: () => Promise<Kubernetes<C>>,
  patient: { readonly timeoutMs: number; readonly intervalMs?: number },
): void {
  describe('with the virtual node "mynode"', () => {
    let world: World<C>;

    beforeAll(async () => {
      world = await startWorld({
        kubernetes: await provide(),
        consumer: 'rome',
        providers: ['milan'],
        virtualNodes: [{ name: 'mynode', provider: 'milan' }],
      });
    }, 600_000);

    afterAll(() => world?.[Symbol.asyncDispose](), 120_000);

    labelledNamespaceSuite(() => world, patient);
    shopSuite(() => world, patient);
  });
}
