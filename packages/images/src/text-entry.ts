import type { FileEntry } from './entry.ts';

/** A small file that everybody may read. */
export function textEntry(path: string, text: string): FileEntry {
  return { type: 'file', path, mode: 0o644, content: [Buffer.from(text)] };
}
