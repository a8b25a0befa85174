import { isAbsolute, join, sep } from 'node:path';
import type { ExecConfig, Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';

/** Makes the file names inside a kubeconfig absolute; relative ones are relative to `folder`, where its file is. */
export function resolvePaths(config: Kubeconfig, folder: string): Kubeconfig {
  const resolve = (path: string) => (!path || isAbsolute(path) ? path : join(folder, path));
  return {
    ...config,
    clusters: config.clusters.map((entry) => ({
      ...entry,
      cluster: withFiles(entry.cluster, ['certificate-authority'], resolve),
    })),
    users: config.users.map((entry) => ({ ...entry, user: resolveUser(entry.user, resolve) })),
  };
}

function resolveUser(user: KubeconfigUser, resolve: (path: string) => string): KubeconfigUser {
  const files = ['client-certificate', 'client-key', 'tokenFile'] as const;
  const resolved = withFiles(user, files, resolve);
  return user.exec ? { ...resolved, exec: resolveCommand(user.exec, resolve) } : resolved;
}

/** A bare command is looked up on the PATH; one with a separator in it is a file. */
function resolveCommand(exec: ExecConfig, resolve: (path: string) => string): ExecConfig {
  return exec.command?.includes(sep) ? { ...exec, command: resolve(exec.command) } : exec;
}

function withFiles<T extends KubeconfigCluster | KubeconfigUser>(
  entry: T,
  keys: readonly (keyof T)[],
  resolve: (path: string) => string,
): T {
  const resolved = { ...entry };
  for (const key of keys) {
    const path = entry[key];
    if (typeof path === 'string') Object.assign(resolved, { [key]: resolve(path) });
  }
  return resolved;
}
