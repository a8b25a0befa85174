import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busyboxImage, packImage } from '@liqo/images';
import type { Clock } from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import {
  type Link,
  link,
  planCluster,
  type RealCluster,
  type RealClusterOptions,
  startRealCluster,
} from '@liqo/testkit/real-cluster';
import { install } from '../install.ts';
import type { InstallOptions, Kubernetes } from '../kubernetes.ts';
import { Links } from './links.ts';
import { packLiqoImage } from './pack-liqo-image.ts';
import { SharedArchive } from './shared-archive.ts';
import { website } from './website.ts';

export interface RealOptions {
  readonly clock: Clock;
  /** What a cluster is made of, by its name; of one node if nothing is said. */
  readonly clusters?: Readonly<Record<string, RealClusterOptions>>;
  /** How the product comes into a cluster, whose nodes have its image already; by its manifests if nothing is said. */
  readonly install?: Kubernetes<RealCluster>['install'];
  /** For the image of the product while it is packed; the machine's folder for temporary files if nothing is said. */
  readonly folder?: string;
}

export interface RealKubernetes extends Kubernetes<RealCluster> {
  /** The way between two clusters, and what a test may do to it. Throws if they were not connected. */
  linkBetween(a: RealCluster, b: RealCluster): Link;
}

/**
 * Clusters of the real programs, with nodes that run real containers: the image of the product, packed anew, and that of
 * a shell are on all of them. Throws when this machine cannot have such clusters.
 */
export function realKubernetes({
  clock,
  clusters = {},
  folder = tmpdir(),
  install: installIn = (cluster, options) => installManifests(cluster, clock, options),
}: RealOptions): RealKubernetes {
  planCluster({ nodes: 1 });
  const product = new SharedArchive({ parent: folder, pack: packLiqoImage });
  const links = new Links();
  return {
    clock,
    website,
    startCluster: (name, signal) =>
      product.lend(async (archive) => {
        const cluster = await startRealCluster({ nodes: 1, ...clusters[name], name }, signal);
        return furnish(cluster, archive);
      }),
    connect: async (a, b) => links.add(a, b, await link(a, b)),
    linkBetween: (a, b) => links.between(a, b),
    install: installIn,
  };
}

async function installManifests(
  cluster: RealCluster,
  clock: Clock,
  { consumer, signal }: InstallOptions<RealCluster> = {},
): Promise<void> {
  const image = { ...defaultValues.image, pullPolicy: 'Never' } as const;
  const address = consumer ? cluster.serverFrom(consumer) : '';
  const apiServer = { ...defaultValues.apiServer, address };
  const values = { ...defaultValues, clusterID: cluster.name, image, apiServer };
  await install(cluster.client, clock, values, signal);
}

/** Puts the images on its nodes. */
async function furnish(cluster: RealCluster, product: Promise<string>): Promise<RealCluster> {
  try {
    const shell = join(cluster.folder, 'busybox.tar');
    await packImage(await busyboxImage(join(cluster.assets, 'nodes/bin/busybox')), shell);
    await cluster.loadImage(shell);
    await cluster.loadImage(await product);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
