import type { Kubernetes } from '@liqo/playground';
import { systemClock } from '@liqo/runtime';
import { type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import type { AuditLog } from './audit-log.ts';
import { install } from './install.ts';
import type { ProductProcess } from './product-process.ts';
import { startControllers } from './start-product.ts';

const hollowNodes = 4;
/** The stock scheduler binds 50 pods a second and no more: it would be all there is to measure. */
const schedulerFlags = { 'kube-api-qps': '5000', 'kube-api-burst': '5000' };

interface BenchOptions {
  /** The folder of the bundled programs. */
  readonly programs: string;
  /** By the cluster whose requests they note down. */
  readonly audits: ReadonlyMap<string, AuditLog>;
}

interface BenchKubernetes extends Kubernetes<RealCluster> {
  /** Throws where nothing is installed. */
  controllersOf(cluster: string): ProductProcess;
}

/** Real control planes on loopback, with nodes on which pods run in name only; the product has processes of its own. */
export function benchKubernetes({ programs, audits }: BenchOptions): BenchKubernetes {
  const controllers = new Map<string, ProductProcess>();
  return {
    clock: systemClock,
    website: { spec: { containers: [{ name: 'web', image: 'example.org/web' }] } },
    startCluster: (name, signal) => startHollow(name, audits.get(name), signal),
    connect: async () => undefined,
    install: async (cluster) => {
      await install(cluster);
      controllers.set(cluster.name, await startControllers(cluster, programs));
    },
    controllersOf: (cluster) => {
      const found = controllers.get(cluster);
      if (found) return found;
      throw new Error(`Cannot find the controllers of "${cluster}": nothing is installed there`);
    },
  };
}

async function startHollow(
  name: string,
  audit: AuditLog | undefined,
  signal?: AbortSignal,
): Promise<RealCluster> {
  const audited = audit ? { apiServerFlags: audit.flags } : {};
  const cluster = await startRealCluster({ name, hollowNodes, schedulerFlags, ...audited }, signal);
  // All are on loopback: there is no way between them but the straight one.
  return { ...cluster, kubeconfigFor: (user) => cluster.kubeconfigFor(user) };
}
