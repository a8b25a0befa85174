import { createReadStream } from 'node:fs';
import type { Content, Entry, FileRange } from './entry.ts';
import { sizeOf } from './entry.ts';
import { forgeEnd, forgeHeader, forgePadding, type Member } from './tar-header.ts';

const chunkSize = 256 * 1024;

/** The bytes of a tar archive of these entries, in their order; see `arrangeEntries`. Files are read as they are reached. */
export async function* writeTar(
  entries: Iterable<Entry>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    signal?.throwIfAborted();
    yield forgeHeader(memberOf(entry));
    if (entry.type !== 'file') continue;
    for (const part of entry.content) yield* readContent(part);
    yield forgePadding(sizeOf(entry.content));
  }
  yield forgeEnd();
}

function memberOf(entry: Entry): Member {
  return {
    path: entry.path,
    type: entry.type,
    mode: entry.type === 'symlink' ? 0o777 : entry.mode,
    uid: entry.uid ?? 0,
    gid: entry.gid ?? 0,
    size: entry.type === 'file' ? sizeOf(entry.content) : 0,
    target: entry.type === 'symlink' ? entry.target : '',
  };
}

export async function* readContent(content: Content): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else if (content.size > 0) yield* readRange(content);
}

/** The header before it says how long it is: a file that has become shorter would shift everything behind it. */
async function* readRange({ file, start, size }: FileRange): AsyncGenerator<Uint8Array> {
  let seen = 0;
  const options = { start, end: start + size - 1, highWaterMark: chunkSize };
  for await (const chunk of createReadStream(file, options)) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== size) {
    throw new Error(`Cannot pack "${file}": it has become shorter while it was read`);
  }
}
