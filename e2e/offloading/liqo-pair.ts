import { join } from 'node:path';
import { createKubeconfig, introduce as introducePeers } from '@liqo/playground';
import {
  type Link,
  link,
  type RealCluster,
  type RealClusterOptions,
  startRealCluster,
} from '@liqo/testkit/cluster';
import { chart, helm } from '../install/run-helm.ts';
import { loadTestImages } from '../real-nodes/test-images.ts';
import { packLiqoImage } from './liqo-image.ts';

export interface LiqoPair {
  /** The consumer. */
  readonly rome: RealCluster;
  /** The provider. */
  readonly milan: RealCluster;
  readonly link: Link;
}

/** Two linked clusters of one node each, unless the provider is to be another, with the product installed and running. */
export async function startLiqoPair(provider: RealClusterOptions = {}): Promise<LiqoPair> {
  const [rome, milan] = await Promise.all([
    startRealCluster({ name: 'rome', nodes: 1 }),
    startRealCluster({ nodes: 1, ...provider, name: 'milan' }),
  ]);
  const clusters = [rome, milan];
  await loadTestImages(clusters);
  const archive = join(rome.folder, 'liqo.tar');
  await packLiqoImage(archive);
  await Promise.all(clusters.map((cluster) => cluster.loadImage(archive)));
  await Promise.all(clusters.map(install));
  return { rome, milan, link: await link(rome, milan) };
}

/** As a user does it. */
async function install(cluster: RealCluster): Promise<void> {
  const values = ['--set', `clusterID=${cluster.name}`, '--set', 'image.pullPolicy=Never'];
  const where = ['-n', 'liqo', '--create-namespace'];
  await helm(cluster, 'install', 'liqo', chart, ...where, ...values, '--wait', '--timeout', '90s');
}

/** What the handshake of two clusters leaves behind, and credentials for a virtual node. */
export async function introduce(rome: RealCluster, milan: RealCluster): Promise<void> {
  await introducePeers(rome, milan);
  const credentials = { name: 'kubeconfig-resourceslice-mypool', user: 'mypool-rome' };
  await createKubeconfig(rome, milan, credentials);
}
