import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of the assets folder that nodes need, all made by `npm run kubernetes -- nodes`. */
export const nodePrograms: readonly string[] = [
  'kubelet',
  'kube-proxy',
  'nodes/usr/bin/containerd',
  'nodes/usr/bin/containerd-shim-runc-v2',
  'nodes/usr/bin/ctr',
  'nodes/usr/sbin/runc',
  'nodes/usr/sbin/nft',
  'nodes/usr/lib/cni/bridge',
];

export function cniPlugins(assets: string): string {
  return join(assets, 'nodes/usr/lib/cni');
}

/** Packages that were unpacked, not installed, find each other by these variables. */
export function nodeEnvironment(assets: string): Readonly<Record<string, string>> {
  const root = join(assets, 'nodes');
  return {
    PATH: [join(root, 'usr/bin'), join(root, 'usr/sbin'), process.env.PATH].join(':'),
    LD_LIBRARY_PATH: libraryFolders(root).join(':'),
  };
}

function libraryFolders(root: string): readonly string[] {
  return ['usr/lib', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(root, folder, name)),
  );
}
