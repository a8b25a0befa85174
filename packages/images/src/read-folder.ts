import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Entry } from './entry.ts';

/**
 * Everything below a folder, as entries below `at` (`''` is the root of the image), owned by root, modes and symlinks as
 * they are. What is neither a file, a folder nor a symlink is refused.
 */
export async function readFolder(folder: string, at = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  // Not by a recursive readdir, which walks through symlinks and out of the folder.
  for (const name of (await readdir(folder)).sort()) {
    const file = join(folder, name);
    const entry = await readEntry(file, posix.join(at, name), await lstat(file));
    entries.push(entry);
    if (entry.type === 'folder') entries.push(...(await readFolder(file, entry.path)));
  }
  return entries;
}

async function readEntry(file: string, path: string, stats: Stats): Promise<Entry> {
  const mode = stats.mode & 0o7777;
  if (stats.isSymbolicLink()) return { type: 'symlink', path, target: await readlink(file) };
  if (stats.isDirectory()) return { type: 'folder', path, mode };
  if (stats.isFile()) {
    return { type: 'file', path, mode, content: [{ file, start: 0, size: stats.size }] };
  }
  throw new Error(`Cannot pack "${file}": it is neither a file, a folder nor a symlink`);
}
