/** One file of an archive. */
export interface TarFile {
  /** Without a slash in front. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const blockSize = 512;

/** An archive in the format of POSIX.1-1988, of plain files alone. Throws for a path that does not fit into it. */
export function packTar(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [
    forgeHeader(path, bytes.length),
    bytes,
    Buffer.alloc(padding(bytes.length)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * blockSize)]);
}

/** The plain files of an archive; whatever else is in it is passed over. */
export function unpackTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = [];
  let offset = 0;
  while (offset + blockSize <= archive.length && archive[offset] !== 0) {
    const header = archive.subarray(offset, offset + blockSize);
    const size = Number.parseInt(field(header, 124, 12), 8) || 0;
    const bytes = archive.subarray(offset + blockSize, offset + blockSize + size);
    const kind = field(header, 156, 1);
    const path = [field(header, 345, 155), field(header, 0, 100)].filter(Boolean).join('/');
    if (kind === '' || kind === '0') files.push({ path, bytes });
    offset += blockSize + size + padding(size);
  }
  return files;
}

function forgeHeader(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100)
    throw new Error(`Cannot archive "${path}": its path is too long`);
  const header = Buffer.alloc(blockSize);
  const put = (text: string, offset: number) => header.write(text, offset);
  put(path, 0);
  put('0000644\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  // The checksum counts itself as spaces.
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function field(header: Buffer, offset: number, length: number): string {
  const bytes = header.subarray(offset, offset + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? length : end);
}

function padding(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}
