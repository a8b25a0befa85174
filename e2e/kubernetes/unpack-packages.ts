import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { type AptRun, downloadPackages } from './apt.ts';
import type { PackageSet } from './node-packages.ts';
import { sayDuration } from './say-duration.ts';
import { UserError } from './user-error.ts';

const execute = promisify(execFile);

export interface Unpacking {
  readonly set: PackageSet;
  readonly env: Environment;
  /** Progress, a line at a time. */
  readonly say: (line: string) => void;
}

type Versions = Readonly<Record<string, string>>;

const recordName = 'packages.json';

/** Whether a tree holds every package of the set; a record of them is the last thing that is written into it. */
export function holdsPackages(tree: string, set: PackageSet): boolean {
  const record = join(tree, recordName);
  if (!existsSync(record)) return false;
  const versions: Versions = JSON.parse(readFileSync(record, 'utf8'));
  return set.packages.every((name) => Object.hasOwn(versions, name));
}

/** Downloads the packages of a set and unpacks them into the folder of that name in `target`, an empty folder. */
export async function unpackPackages(
  { set, env, say }: Unpacking,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  requirePlatform(process.platform, set.folder);
  say(`Downloading ${set.packages.length} Debian packages: ${set.packages.join(', ')}`);
  const startedMs = performance.now();
  const downloads = join(target, 'downloads');
  const tree = join(target, set.folder);
  const run = { purpose: set.folder, folder: downloads, env };
  await usingDebianTools(run, () => downloadPackages(set.packages, run, signal));
  const versions = await usingDebianTools(run, () => unpackAll(run, tree, signal));
  await probe(set, tree, signal);
  writeFileSync(join(tree, recordName), `${JSON.stringify(versions, null, 2)}\n`);
  say(`Unpacked them in ${sayDuration(performance.now() - startedMs)}: ${sayVersions(versions)}`);
}

function sayVersions(versions: Versions): string {
  const programs = Object.entries(versions).filter(([name]) => !name.startsWith('lib'));
  return programs.map((entry) => entry.join(' ')).join(', ');
}

/** Asked first: the tools may be there on another platform, and what they unpack would be of no use. */
export function requirePlatform(platform: NodeJS.Platform, purpose: string): void {
  if (platform === 'linux') return;
  throw new UserError(
    `Cannot prepare ${purpose}: their programs run on Linux only, and this is "${platform}". ` +
      `Use a Linux machine, a virtual one will do, or leave "${purpose}" out.`,
  );
}

async function usingDebianTools<T>(
  { purpose }: Pick<AptRun, 'purpose'>,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const { code, path, syscall = '' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || !syscall.startsWith('spawn')) throw error;
    throw new UserError(
      `Cannot prepare ${purpose}: some of their programs come from Debian packages, and there is no "${path}" on the PATH. ` +
        'Use a machine with Debian or one of its relatives, or set KUBEBUILDER_ASSETS to a folder that holds ' +
        `all of the programs already, those of the packages below "${purpose}".`,
      { cause: error },
    );
  }
}

async function unpackAll(run: AptRun, tree: string, signal?: AbortSignal): Promise<Versions> {
  mkdirSync(tree);
  const versions: Record<string, string> = {};
  const dpkgDeb = async (...args: string[]) => {
    const options = { cwd: run.folder, env: run.env };
    const { stdout } = await execute('dpkg-deb', args, signal ? { ...options, signal } : options);
    return stdout.trim();
  };
  for (const file of readdirSync(run.folder).filter((name) => name.endsWith('.deb'))) {
    versions[await dpkgDeb('-f', file, 'Package')] = await dpkgDeb('-f', file, 'Version');
    await dpkgDeb('-x', file, tree);
  }
  for (const name of ['bin', 'sbin', 'lib']) mergeIntoUsr(tree, name);
  return versions;
}

/** As on a machine, where `/bin` is `/usr/bin`: releases differ in which of the two a package names. */
function mergeIntoUsr(tree: string, name: string): void {
  const old = join(tree, name);
  if (existsSync(old)) {
    cpSync(old, join(tree, 'usr', name), { recursive: true, verbatimSymlinks: true });
    rmSync(old, { recursive: true });
  }
  mkdirSync(join(tree, 'usr', name), { recursive: true });
  symlinkSync(`usr/${name}`, old);
}

async function probe(set: PackageSet, tree: string, signal?: AbortSignal): Promise<void> {
  const env = { LD_LIBRARY_PATH: libraryFolders(tree).join(':') };
  for (const [program, args] of Object.entries(set.probes)) {
    try {
      await execute(join(tree, program), args, signal ? { env, signal } : { env });
    } catch (error) {
      signal?.throwIfAborted();
      const { stderr = '', message } = error as Error & { stderr?: string };
      throw new UserError(
        `Cannot prepare ${set.folder}: "${program}" of the Debian packages does not run on this machine; it said:\n` +
          (stderr.trim() || message),
        { cause: error },
      );
    }
  }
}

/** Where Debian puts libraries: a folder named after the architecture. */
function libraryFolders(tree: string): readonly string[] {
  const parent = join(tree, 'usr/lib');
  const names = readdirSync(parent).filter((name) => /-linux-gnu\w*$/.test(name));
  return names.map((name) => join(parent, name));
}
