import { join } from 'node:path';
import type { Clock } from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import { type RealCluster, startRealCluster } from '@liqo/testkit/cluster';
import { packLiqoImage } from '../../../e2e/offloading/liqo-image.ts';
import {
  busyboxImage,
  busyboxImageName,
  liqoImageName,
  packImage,
} from '../../images/src/index.ts';
import { link } from '../../testkit/src/real-cluster/link/link.ts';
import { planCluster } from '../../testkit/src/real-cluster/plan-cluster.ts';
import { install } from '../src/install.ts';
import type { Kubernetes } from '../src/kubernetes.ts';
import { PlaygroundError } from '../src/start/playground-error.ts';

interface RealOptions {
  readonly clock: Clock;
  /** For the image of the product, which is packed anew. */
  readonly folder: string;
}

/** Clusters of the real programs, each with a node that runs real containers. */
export function realKubernetes({ clock, folder }: RealOptions): Kubernetes<RealCluster> {
  checkMachine();
  const archive = join(folder, 'liqo.tar');
  let packing: Promise<void> | undefined;
  return {
    clock,
    website,
    startCluster: async (name, signal) => {
      packing ??= packLiqoImage(archive);
      // Whoever awaits it below learns of its failure; a cluster that does not start has no use for it.
      packing.catch(() => undefined);
      const cluster = await startRealCluster({ name, nodes: 1 }, signal);
      return furnish(
        cluster,
        packing.then(() => archive),
      );
    },
    connect: async (a, b) => void (await link(a, b)),
    install: async ({ name, client }, signal) => {
      const image = { name: liqoImageName, pullPolicy: 'Never' } as const;
      await install(client, clock, { ...defaultValues, clusterID: name, image }, signal);
    },
  };
}

function checkMachine(): void {
  try {
    planCluster({ name: 'rome', nodes: 1 });
  } catch (error) {
    const fact = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    const hint = 'Or play with embedded clusters, which need nothing: leave out --kubernetes real';
    throw new PlaygroundError(fact, { hint, cause: error });
  }
}

/** Puts the images on its node. */
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

const script = `mkdir -p /tmp/www && echo "Hello from $(hostname)" >/tmp/www/index.html
httpd -p 8080 -h /tmp/www
trap exit TERM
while true; do echo "$(date -Iseconds) $(hostname) is open"; sleep 5 & wait $!; done`;

const website = {
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'web',
        image: busyboxImageName,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', script],
        ports: [{ name: 'http', containerPort: 8080 }],
      },
    ],
  },
};
