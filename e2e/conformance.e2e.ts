import type { Client } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import type { RealCluster } from '@liqo/testkit';
import { conformance, startRealCluster } from '@liqo/testkit';
import { afterAll, beforeAll, describe } from 'vitest';

describe('a real Kubernetes', () => {
  const warnings: string[] = [];
  let cluster: RealCluster;
  let client: Client;

  beforeAll(async () => {
    cluster = await startRealCluster();
    const config = parseKubeconfig(cluster.kubeconfigText, cluster.kubeconfig);
    client = await connectKubeconfig(config, {
      clock: systemClock,
      random: systemRandom,
      fieldManager: 'conformance',
      onWarning: (warning) => warnings.push(warning),
    });
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  conformance(() => ({ client, warnings, forgetHistory: () => cluster.restartApiServer() }));
});
