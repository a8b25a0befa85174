import type { RealCluster } from '@liqo/testkit/real-cluster';
import { chart, helm } from './run-helm.ts';

interface ChartOptions {
  /** The cluster that reaches the API server by the address that peers are told. */
  readonly consumer?: RealCluster | undefined;
  /** Values of the chart, as `key=value`. */
  readonly settings?: readonly string[];
}

/** As a user does it; the image is on the nodes already. */
export async function installChart(
  cluster: RealCluster,
  { consumer, settings: own = [] }: ChartOptions = {},
): Promise<void> {
  const address = consumer ? [`apiServer.address=${cluster.serverFrom(consumer)}`] : [];
  const settings = [`clusterID=${cluster.name}`, 'image.pullPolicy=Never', ...address, ...own];
  const values = settings.flatMap((setting) => ['--set', setting]);
  const where = ['-n', 'liqo', '--create-namespace'];
  await helm(cluster, 'install', 'liqo', chart, ...where, ...values, '--wait', '--timeout', '120s');
}
