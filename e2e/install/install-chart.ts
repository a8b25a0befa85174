import type { RealCluster } from '@liqo/testkit/real-cluster';
import { chart, helm } from './run-helm.ts';

/** As a user does it; the image is on the nodes already. */
export async function installChart(cluster: RealCluster): Promise<void> {
  const values = ['--set', `clusterID=${cluster.name}`, '--set', 'image.pullPolicy=Never'];
  const where = ['-n', 'liqo', '--create-namespace'];
  await helm(cluster, 'install', 'liqo', chart, ...where, ...values, '--wait', '--timeout', '120s');
}
