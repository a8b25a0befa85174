import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlaygroundError } from './playground-error.ts';

/**
 * Kubeconfigs in a folder, one for each cluster. Their names are taken at once, so that two playgrounds never write to
 * the same file. Disposed, what was made here is gone, and what else is in the folder stays. Nothing in here waits:
 * a process that ends at once can still dispose of it.
 */
export class KubeconfigFiles implements Disposable {
  readonly folder: string;
  readonly #files: string[] = [];
  readonly #folders: readonly string[];

  constructor(folder: string, clusters: readonly string[]) {
    this.folder = resolve(folder);
    this.#folders = makeFolders(this.folder);
    try {
      for (const name of clusters) this.#files.push(reserve(this.pathOf(name)));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  pathOf(cluster: string): string {
    return join(this.folder, `${cluster}.kubeconfig`);
  }

  write(cluster: string, text: string): void {
    writeFileSync(this.pathOf(cluster), text);
  }

  [Symbol.dispose](): void {
    for (const file of this.#files.splice(0)) attempt(() => unlinkSync(file));
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

function reserve(file: string): string {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return file;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw cannotUse(dirname(file), error);
    throw new PlaygroundError(`Cannot write "${file}": it is there already, and not ours`, {
      hint: 'Move it away, or choose another folder with --dir',
      cause: error,
    });
  }
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
