import type { Clock, Random } from '@liqo/kube';
import { defaultValues, type Values } from '@liqo/manifests';
import {
  type CallInterceptor,
  type ImageRegistry,
  type Minicluster,
  startMinicluster,
} from '@liqo/minicluster';
import { chooseFreePort } from './free-port.ts';
import { install } from './install.ts';
import type { Kubernetes } from './kubernetes.ts';
import { liqoImage, liqoProgram } from './liqo-program.ts';
import { RunningPrograms } from './running-programs.ts';
import { forgeWebsite, websiteImage, websiteProgram } from './website.ts';

export interface EmbeddedOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** What all of them grant as providers, where it is not the default. */
  readonly slices?: Partial<Values['slices']>;
  /** What all of them admit as providers, where it is not the default. */
  readonly consumers?: Partial<Values['consumers']>;
  /** Stands before the API server of each. */
  readonly interceptorOf?: (cluster: string) => CallInterceptor;
}

/** Clusters in this process, on ports that nobody has. */
export async function embeddedKubernetes(
  options: EmbeddedOptions,
): Promise<Kubernetes<Minicluster>> {
  const { clock } = options;
  const ranges = podRanges();
  const programs = new RunningPrograms(clock);
  const images = new Map([
    [liqoImage, programs.track(liqoProgram(options))],
    [websiteImage, websiteProgram(clock)],
  ]);
  return {
    clock,
    website: forgeWebsite(await chooseFreePort()),
    startCluster: (name) => startEmbedded({ ...options, name }, ranges.next().value, images),
    connect: async () => undefined,
    endProduct: () => programs.end(),
    install: async (cluster, { signal } = {}) => {
      const { controllerManager, webhook } = defaultValues;
      const values = {
        ...defaultValues,
        clusterID: cluster.name,
        slices: { ...defaultValues.slices, ...options.slices },
        consumers: { ...defaultValues.consumers, ...options.consumers },
        apiServer: { ...defaultValues.apiServer, address: cluster.server },
        controllerManager: {
          ...controllerManager,
          healthPort: await chooseFreePort(),
          metrics: { ...controllerManager.metrics, port: await chooseFreePort() },
        },
        // The pods of embedded clusters share the ports of the machine: two replicas cannot listen at one.
        webhook: {
          ...webhook,
          replicas: 1,
          port: await chooseFreePort(),
          healthPort: await chooseFreePort(),
        },
      };
      await install(cluster.client, clock, values, signal);
    },
  };
}

/** As the real test clusters have them. A consumer takes over no address that is in a range of its own. */
function* podRanges(): Generator<string, never, undefined> {
  for (let index = 0; ; index = (index + 1) % 100) yield `10.${128 + index}.1.0/24`;
}

async function startEmbedded(
  options: EmbeddedOptions & { readonly name: string },
  podCidr: string,
  images: ImageRegistry,
): Promise<Minicluster> {
  const intercept = options.interceptorOf?.(options.name);
  const cluster = await startMinicluster({ ...options, ...(intercept && { intercept }) });
  try {
    await cluster.startNode({ name: `${options.name}-1`, podCidr, images });
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
