import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type FileOwner,
  formatOwner,
  judgeOwner,
  type Machine,
  ownerHere,
  parseOwner,
  thisMachine,
} from './file-owner.ts';
import { PlaygroundError } from './playground-error.ts';

const extension = '.kubeconfig';

/**
 * Kubeconfigs in a folder, one for each cluster. The files are created at once, so that two playgrounds never write to the
 * same file. Each names the process that made it: files of a playground that was killed are replaced, those of a running one
 * and all others are refused. Disposed, what was made here is gone, and what else is in the folder stays. Everything is
 * synchronous: a process that exits can still dispose of it.
 *
 * Files are written through the descriptor that created them: in a shared folder, another user may put a link in their place.
 */
export class KubeconfigFiles implements Disposable {
  readonly folder: string;
  readonly #mark: string;
  readonly #files = new Map<string, number>();
  readonly #folders: readonly string[];

  constructor(folder: string, clusters: readonly string[], machine = thisMachine()) {
    this.folder = resolve(folder);
    this.#mark = formatOwner(ownerHere(machine, process.pid));
    this.#folders = makeFolders(this.folder);
    try {
      removeAbandoned(this.folder, machine);
      for (const name of clusters) {
        const path = this.pathOf(name);
        this.#files.set(path, reserve(path, this.#mark, machine));
      }
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  pathOf(cluster: string): string {
    return join(this.folder, `${cluster}${extension}`);
  }

  write(cluster: string, text: string): void {
    const path = this.pathOf(cluster);
    const file = this.#files.get(path);
    if (file === undefined || !isAt(path, file)) throw wasReplaced(path);
    ftruncateSync(file);
    writeFrom(file, `${this.#mark}${text}`);
  }

  [Symbol.dispose](): void {
    for (const [path, file] of this.#files) {
      if (isAt(path, file)) attempt(() => unlinkSync(path));
      attempt(() => closeSync(file));
    }
    this.#files.clear();
    // Those that somebody else put something into stay.
    for (const folder of this.#folders) attempt(() => rmdirSync(folder));
  }
}

/** The folders that were missing, the innermost first. One by one: Node never gives up making a path below `/proc`. */
function makeFolders(folder: string): readonly string[] {
  const missing = missingFolders(folder);
  const made: string[] = [];
  try {
    for (const one of missing.toReversed()) {
      mkdirSync(one, { mode: 0o700 });
      made.unshift(one);
    }
    return made;
  } catch (error) {
    for (const one of made) attempt(() => rmdirSync(one));
    throw cannotUse(folder, error);
  }
}

function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}

/** Removes what playgrounds that were killed have left in the folder, also of clusters that are not wanted now. */
function removeAbandoned(folder: string, machine: Machine): void {
  for (const name of listFolder(folder).filter((entry) => entry.endsWith(extension))) {
    const file = join(folder, name);
    const owner = ownerOf(file);
    if (owner && judgeOwner(owner, machine) === 'ended') remove(file);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw cannotUse(dirname(file), error);
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw cannotUse(folder, error);
  }
}

/** The playground that made a file; undefined if none did. */
function ownerOf(file: string): FileOwner | undefined {
  try {
    return lstatSync(file).isFile() ? parseOwner(readFileSync(file, 'utf8')) : undefined;
  } catch {
    // A file that cannot be read is foreign, and one that is gone has no owner.
    return undefined;
  }
}

/** A new file, and no link that leads to one; the descriptor is open. */
function reserve(path: string, mark: string, machine: Machine): number {
  const file = create(path, machine);
  try {
    writeFrom(file, mark);
    return file;
  } catch (error) {
    attempt(() => unlinkSync(path));
    closeSync(file);
    throw cannotUse(dirname(path), error);
  }
}

function create(path: string, machine: Machine): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw cannotUse(dirname(path), error);
    throw isTaken(path, machine, error);
  }
}

/** From the beginning of the file; one write may take only a part. */
function writeFrom(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
}

/** Whether the path still names the file of the descriptor. */
function isAt(path: string, file: number): boolean {
  const here = lstatSync(path, { throwIfNoEntry: false });
  const ours = fstatSync(file);
  return here?.ino === ours.ino && here.dev === ours.dev;
}

function wasReplaced(path: string): PlaygroundError {
  const hint = 'Choose a folder that only you can write to with --dir';
  return new PlaygroundError(`Cannot write "${path}": it was replaced or removed`, { hint });
}

function isTaken(file: string, machine: Machine, cause: unknown): PlaygroundError {
  const owner = ownerOf(file);
  if (!owner) {
    const hint = 'Move it away, or choose another folder with --dir';
    const message = `Cannot write "${file}": it is there already, and not ours`;
    return new PlaygroundError(message, { hint, cause });
  }
  const folder = dirname(file);
  if (judgeOwner(owner, machine) === 'unknown') {
    const hint = `Move "${file}" away if that playground has ended, or choose another folder with --dir`;
    const message = `Cannot use the folder "${folder}": a playground on "${owner.host}", which cannot be seen from here, may use it`;
    return new PlaygroundError(message, { hint, cause });
  }
  const hint = `Choose another folder with --dir, or end that playground: kill ${owner.pid}`;
  const message = `Cannot use the folder "${folder}": the playground with process id ${owner.pid} uses it`;
  return new PlaygroundError(message, { hint, cause });
}

const facts: Readonly<Record<string, string>> = {
  ENOTDIR: 'it is not a folder, or a part of its path is not',
  ENOENT: 'no folder can be made there',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'there is no space left',
};

function cannotUse(folder: string, error: unknown): PlaygroundError {
  const fact = facts[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  const hint = 'Choose another folder with --dir';
  return new PlaygroundError(`Cannot use the folder "${folder}": ${fact}`, { hint, cause: error });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Whatever is gone already, or cannot go, does not keep the rest. */
function attempt(remove: () => void): void {
  try {
    remove();
  } catch {}
}
