import { join } from 'node:path';
import { type Link, link, type RealCluster, startRealCluster } from '@liqo/testkit/cluster';
import { chart, helm } from '../install/run-helm.ts';
import { kubectl } from '../real-nodes/kubectl.ts';
import { loadTestImages } from '../real-nodes/test-images.ts';
import { packLiqoImage } from './liqo-image.ts';

export interface LiqoPair {
  /** The consumer. */
  readonly rome: RealCluster;
  /** The provider. */
  readonly milan: RealCluster;
  readonly link: Link;
}

/** Two linked clusters of one node each, with the product installed and running. */
export async function startLiqoPair(): Promise<LiqoPair> {
  const [rome, milan] = await Promise.all([
    startRealCluster({ name: 'rome', nodes: 1 }),
    startRealCluster({ name: 'milan', nodes: 1 }),
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

/** What the handshake of two clusters leaves behind, written by hand. */
export async function introduce(rome: RealCluster, milan: RealCluster): Promise<void> {
  await kubectl(rome, 'apply -f -', JSON.stringify(tenantNamespace('milan')));
  await kubectl(milan, 'apply -f -', JSON.stringify(tenantNamespace('rome')));
  await kubectl(
    milan,
    '-n liqo-tenant-rome create rolebinding liqo-binding-liqo-remote-controlplane --clusterrole=liqo-remote-controlplane --user=rome',
  );
  const secrets = [
    await kubeconfigSecret(rome, milan, 'rome', {
      name: 'kubeconfig-controlplane-milan',
      labels: { 'liqo.io/remote-cluster-id': 'milan', 'liqo.io/identity-type': 'ControlPlane' },
      annotations: { 'liqo.io/remote-tenant-namespace': 'liqo-tenant-rome' },
    }),
    await kubeconfigSecret(rome, milan, 'mypool-rome', {
      name: 'kubeconfig-resourceslice-mypool',
      labels: { 'liqo.io/remote-cluster-id': 'milan' },
    }),
  ];
  await kubectl(rome, 'apply -f -', list(secrets));
}

async function kubeconfigSecret(
  consumer: RealCluster,
  provider: RealCluster,
  user: string,
  metadata: object,
): Promise<object> {
  const identity = { name: user, groups: [consumer.name] };
  const kubeconfig = await provider.kubeconfigFor(identity, consumer);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: `liqo-tenant-${provider.name}`, ...metadata },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  };
}

function tenantNamespace(peer: string): object {
  const labels = { 'liqo.io/remote-cluster-id': peer, 'liqo.io/tenant-namespace': 'true' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `liqo-tenant-${peer}`, labels } };
}

function list(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
