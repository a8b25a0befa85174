import { embeddedKubernetes } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { describe } from 'vitest';
import { findKubectl } from './seed/find-kubectl.ts';
import { lent, names, type SeedStage } from './seed/seed-stage.ts';
import { seedSuite } from './seed/seed-suite.ts';

const kubectl = findKubectl();

async function start(): Promise<SeedStage> {
  const kubernetes = await embeddedKubernetes({
    clock: systemClock,
    random: systemRandom,
    slices: lent,
  });
  const [consumer, provider] = await Promise.all(
    [names.consumer, names.provider].map(async (name) => {
      const cluster = await kubernetes.startCluster(name);
      await kubernetes.install(cluster);
      return cluster;
    }),
  );
  if (!consumer || !provider) throw new Error('Cannot start two clusters');
  return {
    consumer: { client: consumer.client, kubeconfig: consumer.kubeconfig, kubectl: kubectl ?? '' },
    provider: { client: provider.client, kubeconfig: provider.kubeconfig, kubectl: kubectl ?? '' },
    [Symbol.asyncDispose]: async () => {
      await consumer[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(kubectl === undefined)('on embedded clusters', () => {
  seedSuite('liqoctl', start);
  seedSuite('YAML', start);
});
