import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

export interface Host {
  readonly platform: NodeJS.Platform;
  readonly userId: number | undefined;
  /** The search path for programs. */
  readonly path: string;
}

/** Program → the package of Debian that has it. */
const tools = { ip: 'iproute2', nsenter: 'util-linux', unshare: 'util-linux', mount: 'mount' };

const otherwise =
  'Clusters without nodes (control plane and hollow nodes) need none of this and start anywhere.';

/** Throws, in words for whoever started the test, when this machine cannot be made to look like several. */
export function checkHost(host: Host): void {
  const fact = findObstacle(host);
  if (fact) throw new Error(`Cannot start a cluster with nodes: ${fact} ${otherwise}`);
}

export function thisHost(): Host {
  const { platform, env } = process;
  return { platform, userId: process.getuid?.(), path: env.PATH ?? '' };
}

function findObstacle({ platform, userId, path }: Host): string | undefined {
  if (platform !== 'linux')
    return `nodes are made of namespaces of the Linux kernel, and this is ${platform}. Use a Linux machine, a virtual one will do.`;
  if (userId !== 0)
    return `a kubelet mounts volumes and sets up networks, which only root may do, and this is user ${userId}. Run the same command with sudo -E.`;
  const missing = Object.entries(tools).find(([tool]) => !isOnPath(tool, path));
  if (missing)
    return `the program "${missing[0]}" is not on the search path. Install it (Debian: apt-get install ${missing[1]}).`;
  return undefined;
}

function isOnPath(tool: string, path: string): boolean {
  return path.split(':').some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
