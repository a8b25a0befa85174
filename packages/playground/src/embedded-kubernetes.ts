import type { Clock, Random } from '@liqo/kube';
import { defaultValues } from '@liqo/manifests';
import { type ImageRegistry, type Minicluster, startMinicluster } from '@liqo/minicluster';
import { chooseFreePort } from './free-port.ts';
import { install } from './install.ts';
import type { Kubernetes } from './kubernetes.ts';
import { liqoImage, liqoProgram } from './liqo-program.ts';
import { forgeWebsite, websiteImage, websiteProgram } from './website.ts';

export interface EmbeddedOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** Clusters in this process, on ports that nobody has. */
export async function embeddedKubernetes(
  options: EmbeddedOptions,
): Promise<Kubernetes<Minicluster>> {
  const { clock } = options;
  const images = new Map([
    [liqoImage, liqoProgram(options)],
    [websiteImage, websiteProgram(clock)],
  ]);
  return {
    clock,
    website: forgeWebsite(await chooseFreePort()),
    startCluster: (name) => startEmbedded(name, images, options),
    connect: async () => undefined,
    install: async (cluster, signal) => {
      const { controllerManager } = defaultValues;
      const values = {
        ...defaultValues,
        clusterID: cluster.name,
        image: { name: liqoImage, pullPolicy: 'IfNotPresent' } as const,
        controllerManager: { ...controllerManager, healthPort: await chooseFreePort() },
      };
      await install(cluster.client, clock, values, signal);
    },
  };
}

async function startEmbedded(
  name: string,
  images: ImageRegistry,
  options: EmbeddedOptions,
): Promise<Minicluster> {
  const cluster = await startMinicluster({ ...options, name });
  try {
    await cluster.startNode({ name: `${name}-1`, podCidr: '10.244.1.0/24', images });
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
