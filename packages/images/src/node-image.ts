import { realpath, stat } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Entry, FileEntry } from './entry.ts';
import { type Image, type ImageConfig, ownArchitecture } from './image.ts';
import { loadablePart } from './loadable-part.ts';
import { readFolder } from './read-folder.ts';
import { sharedLibraries } from './shared-libraries.ts';
import { textEntry } from './text-entry.ts';

export interface NodeImageOptions {
  readonly name: string;
  /** Bundled programs; they are found in `/app`, the working directory. */
  readonly folder: string;
  /** Arguments of Node, the program first: `['liqo.mjs', 'controllers']`. */
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: ImageConfig['labels'];
  readonly exposedPorts?: ImageConfig['exposedPorts'];
}

export const nodePath = '/usr/bin/node';
const user = 65532;

/** Not root, and the owner of nothing. */
export const nodeUser = `${user}:${user}`;

/**
 * The Node of this process with exactly the libraries it needs, and a folder of bundles; no shell, no package manager.
 * Runs as a user that is not root and owns nothing, and needs to write nowhere. Bundles are the upper layer, so that a new
 * version of them leaves the large one as it is.
 */
export async function nodeImage(options: NodeImageOptions, signal?: AbortSignal): Promise<Image> {
  const { name, folder, cmd, env, labels, exposedPorts } = options;
  const app = (await readFolder(folder, 'app')).map(readableByAll);
  return {
    name,
    architecture: ownArchitecture(),
    config: {
      entrypoint: [nodePath],
      ...(cmd ? { cmd } : {}),
      env: { PATH: '/usr/bin', ...env },
      user: nodeUser,
      workdir: '/app',
      ...(labels ? { labels } : {}),
      ...(exposedPorts ? { exposedPorts } : {}),
    },
    layers: [await nodeRuntime(signal), [{ type: 'folder', path: 'app', mode: 0o755 }, ...app]],
  };
}

/** Whatever the umask of who built the bundles was. */
function readableByAll(entry: Entry): Entry {
  if (entry.type === 'symlink') return entry;
  const mayExecute = entry.type === 'folder' || (entry.mode & 0o100) !== 0;
  return { ...entry, mode: mayExecute ? 0o755 : 0o644 };
}

/** The Node of this process, what it needs to run, and nothing else. */
export async function nodeRuntime(signal?: AbortSignal): Promise<readonly Entry[]> {
  const libraries = await sharedLibraries(process.execPath, signal);
  return [
    await programEntry(process.execPath, nodePath),
    ...(await Promise.all(libraries.map((library) => programEntry(library, library)))),
    ...systemEntries(),
  ];
}

/** Libraries have several names; the one that the loader looks for is the one that counts. */
async function programEntry(source: string, path: string): Promise<FileEntry> {
  const file = await realpath(source);
  const mode = (await stat(file)).mode & 0o111 ? 0o755 : 0o644;
  return { type: 'file', path: path.slice(1), mode, content: await loadablePart(file) };
}

/** Node carries the certificates itself; the file is for what is told to use those of the system. */
function systemEntries(): readonly Entry[] {
  return [
    textEntry('etc/passwd', `root:x:0:0:root:/:/\nnonroot:x:${user}:${user}:nonroot:/:/\n`),
    textEntry('etc/group', `root:x:0:\nnonroot:x:${user}:\n`),
    // Without it, the C library asks DNS before it looks into /etc/hosts.
    textEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
    textEntry('etc/ssl/certs/ca-certificates.crt', `${rootCertificates.join('\n')}\n`),
    { type: 'folder', path: 'tmp', mode: 0o1777 },
  ];
}
