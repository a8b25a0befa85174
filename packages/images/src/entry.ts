import { posix } from 'node:path';

/** A part of a file on disk, read only when it is packed. */
export interface FileRange {
  readonly file: string;
  readonly start: number;
  readonly size: number;
}

export type Content = Uint8Array | FileRange;

interface Common {
  /** From the root of the image, without a slash in front: `etc/passwd`. */
  readonly path: string;
  /** Numeric, and 0 when not given: an image has no names for the owners of its builder's files. */
  readonly uid?: number;
  readonly gid?: number;
}

export interface FileEntry extends Common {
  readonly type: 'file';
  readonly mode: number;
  /** One after the other. */
  readonly content: readonly Content[];
}

interface FolderEntry extends Common {
  readonly type: 'folder';
  readonly mode: number;
}

interface SymlinkEntry extends Common {
  readonly type: 'symlink';
  /** Written as it is, and never followed: it means something inside of the image only. */
  readonly target: string;
}

export type Entry = FileEntry | FolderEntry | SymlinkEntry;

export interface EntryRules {
  /** Programs that run with the rights of their owner are refused unless this is true. */
  readonly allowSetuid?: boolean;
}

const setIdBits = 0o6000;
const modeBits = 0o7777;

/**
 * The entries in the order of an archive: sorted by the bytes of their path, with the folders that were left out. Refuses
 * what could end up elsewhere than it says: a path that leaves the root, is named twice, or leads through something that
 * is not a folder.
 */
export function arrangeEntries(entries: readonly Entry[], rules: EntryRules = {}): Entry[] {
  const byPath = new Map<string, Entry>();
  for (const entry of entries) {
    checkPath(entry.path);
    checkMode(entry, rules);
    if (byPath.has(entry.path)) throw refusal(entry.path, 'the same path is given twice');
    byPath.set(entry.path, entry);
  }
  for (const { path } of entries) addParents(byPath, path);
  return [...byPath.values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
  );
}

export function sizeOf(content: readonly Content[]): number {
  return content.reduce(
    (sum, part) => sum + (part instanceof Uint8Array ? part.length : part.size),
    0,
  );
}

function addParents(byPath: Map<string, Entry>, path: string): void {
  for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
    const found = byPath.get(parent);
    if (found && found.type !== 'folder') throw refusal(path, `"${parent}" is not a folder`);
    if (!found) byPath.set(parent, { type: 'folder', path: parent, mode: 0o755 });
  }
}

function checkPath(path: string): void {
  if (path.startsWith('/'))
    throw refusal(path, 'its path must be relative to the root of the image');
  if (path.includes('\0')) throw refusal(path, 'its path has a zero byte');
  const parts = path.split('/');
  if (parts.includes('..')) throw refusal(path, 'its path leaves the folder it is in');
  if (parts.includes('') || parts.includes('.'))
    throw refusal(path, 'its path is not in its shortest form');
}

function checkMode(entry: Entry, { allowSetuid = false }: EntryRules): void {
  if (entry.type === 'symlink') return;
  if ((entry.mode & modeBits) !== entry.mode) {
    throw refusal(entry.path, `${entry.mode} is not the mode of a file`);
  }
  if (!allowSetuid && entry.mode & setIdBits) {
    throw refusal(
      entry.path,
      'it would run with the rights of its owner (setuid or setgid), which nobody asked for',
    );
  }
}

function refusal(path: string, fact: string): Error {
  return new Error(`Cannot pack "${path}": ${fact}`);
}
