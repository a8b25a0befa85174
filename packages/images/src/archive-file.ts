import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Blob, blobPath } from './image-documents.ts';
import { blockSize, forgeEnd, forgeHeader, forgePadding } from './tar-header.ts';

const unfinished = 'archive.tar';

/**
 * A tar archive that is being written to disk. The name and the length of a blob are known only when all of it has gone
 * by, and stand in front of it: the place of its header is left free, and filled afterwards. So every byte is written
 * once, and none of it has to be kept. The file appears under its name when it is whole.
 */
export class ArchiveFile {
  readonly #path: string;
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #blobs = new Set<string>();
  #end = 0;

  private constructor(path: string, folder: string, file: FileHandle) {
    this.#path = path;
    this.#folder = folder;
    this.#file = file;
  }

  /** It grows in a folder of its own, on the same disk, so that several may make the same archive at once. */
  static async create(path: string): Promise<ArchiveFile> {
    const folder = await mkdtemp(`${path}.unfinished-`);
    return new ArchiveFile(path, folder, await open(join(folder, unfinished), 'w'));
  }

  /** The same bytes are kept once, however often they are added. */
  async addBlob(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Blob> {
    const header = this.#end;
    this.#end += blockSize;
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      await this.#append(chunk);
    }
    await this.#append(forgePadding(size));
    const blob = { digest: `sha256:${hash.digest('hex')}`, size };
    if (this.#blobs.has(blob.digest)) this.#end = header;
    else await this.#write(forgeFileHeader(blobPath(blob), size), header);
    this.#blobs.add(blob.digest);
    return blob;
  }

  async addFile(path: string, content: Uint8Array): Promise<void> {
    await this.#append(forgeFileHeader(path, content.length));
    await this.#append(content);
    await this.#append(forgePadding(content.length));
  }

  async addFolder(path: string): Promise<void> {
    await this.#append(forgeHeader({ ...member(path, 0), type: 'folder', mode: 0o755 }));
  }

  /** Returns the size of the archive. */
  async finish(): Promise<number> {
    await this.#append(forgeEnd());
    await this.#file.truncate(this.#end);
    await this.#file.close();
    await rename(join(this.#folder, unfinished), this.#path);
    await rm(this.#folder, { recursive: true });
    return this.#end;
  }

  async discard(): Promise<void> {
    await this.#file.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes, this.#end);
    this.#end += bytes.length;
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        done,
        bytes.length - done,
        position + done,
      );
      done += bytesWritten;
    }
  }
}

/** Always one block, whatever the size: blobs above 8 GiB, which would need more, are no images. */
function forgeFileHeader(path: string, size: number): Buffer {
  const header = forgeHeader(member(path, size));
  if (header.length === blockSize) return header;
  throw new Error(`Cannot pack "${path}": its ${size} bytes are more than an archive holds`);
}

function member(path: string, size: number) {
  return { path, type: 'file', mode: 0o644, uid: 0, gid: 0, size, target: '' } as const;
}
