import { join } from 'node:path';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { type Access, runKubectl } from '../kubectl/run-kubectl.ts';

export function accessTo(cluster: RealCluster): Access {
  return { kubectl: join(cluster.assets, 'kubectl'), kubeconfig: cluster.kubeconfig };
}

/** What kubectl prints, as the administrator; throws what it complains of. Words have no spaces in them. */
export async function kubectl(cluster: RealCluster, line: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await runKubectl(accessTo(cluster), line, input);
  if (code === 0) return stdout.trim();
  throw new Error(`Cannot run "kubectl ${line}" on cluster "${cluster.name}": ${stderr.trim()}`);
}
