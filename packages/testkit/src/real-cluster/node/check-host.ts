import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

export interface Host {
  readonly platform: NodeJS.Platform;
  readonly userId: number | undefined;
  /** The search path for programs. */
  readonly path: string;
}

/** Programs of the machine that nodes and links are made with → the package of Debian that has it. */
export const hostTools = {
  ip: 'iproute2',
  tc: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  mount: 'mount',
  hostname: 'hostname',
} as const;

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
  return findMissingTools(path);
}

/** What is missing on this search path and how it is had, in a sentence or two; nothing when all is there. */
export function findMissingTools(path: string): string | undefined {
  const missing = Object.entries(hostTools).filter(([tool]) => !isOnPath(tool, path));
  if (missing.length === 0) return undefined;
  const names = missing.map(([tool]) => `"${tool}"`).join(', ');
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
  return `not on the search path: ${names}. Install what has them (Debian: apt-get install ${packages}).`;
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
