import { startWorld } from '@liqo/playground';
import { builtKubectl, realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { describe } from 'vitest';
import { installChart } from './install/install-chart.ts';
import { lent, names, type SeedStage } from './seed/seed-stage.ts';
import { seedSuite } from './seed/seed-suite.ts';

const kubectl = builtKubectl(process.env);
const settings = lent.nodeLabels.map((label, index) => `slices.nodeLabels[${index}]=${label}`);

async function start(): Promise<SeedStage> {
  const world = await startWorld({
    kubernetes: realKubernetes({
      clock: systemClock,
      install: (cluster, { consumer } = {}) => installChart(cluster, { consumer, settings }),
    }),
    consumer: names.consumer,
    providers: [names.provider],
    unpeered: true,
  });
  const asAdministrator = ({ client, kubeconfig }: RealCluster) => ({
    client,
    kubeconfig,
    kubectl,
  });
  return {
    consumer: asAdministrator(world.cluster(names.consumer)),
    provider: asAdministrator(world.cluster(names.provider)),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

describe('on real clusters with real nodes', () => {
  seedSuite('liqoctl', start);
  seedSuite('YAML', start);
});
