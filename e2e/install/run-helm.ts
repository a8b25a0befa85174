import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** Where helm is, which cluster it speaks to, and a folder in which it may keep things. */
export interface HelmAccess {
  readonly assets: string;
  readonly folder: string;
  readonly kubeconfig?: string;
}

export const chart = join(import.meta.dirname, '../../charts/liqo');

/** What helm prints; throws what it complains of. */
export function helm(access: HelmAccess, ...args: readonly string[]): Promise<string> {
  const { assets, folder, kubeconfig = '/dev/null' } = access;
  const env = { ...process.env, ...homesIn(folder), KUBECONFIG: kubeconfig };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(join(assets, 'helm'), [...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`Cannot run "helm ${args[0]}": ${stderr.trim()}`));
      else resolve(stdout);
    });
  });
}

/** Nothing of the machine's own helm is read or written. */
function homesIn(folder: string): Record<string, string> {
  return {
    HELM_CACHE_HOME: join(folder, 'helm/cache'),
    HELM_CONFIG_HOME: join(folder, 'helm/config'),
    HELM_DATA_HOME: join(folder, 'helm/data'),
  };
}
