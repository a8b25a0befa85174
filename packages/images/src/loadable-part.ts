import { open } from 'node:fs/promises';
import type { Content } from './entry.ts';

const headerSize = 64;

/**
 * What the kernel and the loader read of a program: everything up to the end of its last segment. Behind it are symbols
 * and debugging information, an eighth of Node. A program that ends with its last segment comes back whole.
 */
export async function loadablePart(program: string): Promise<readonly Content[]> {
  await using file = await open(program);
  const header = await readExactly(file, 0, headerSize);
  if (!header.subarray(0, 6).equals(Buffer.from('\x7fELF\x02\x01', 'latin1'))) {
    throw new Error(`Cannot pack "${program}": it is not a 64-bit Linux program`);
  }
  const tableStart = Number(header.readBigUInt64LE(32));
  const entrySize = header.readUInt16LE(54);
  const table = await readExactly(file, tableStart, entrySize * header.readUInt16LE(56));
  const size = Math.max(headerSize, tableStart + table.length, ...segmentEnds(table, entrySize));
  return [withoutSections(header), { file: program, start: headerSize, size: size - headerSize }];
}

function segmentEnds(table: Buffer, entrySize: number): number[] {
  const ends: number[] = [];
  for (let at = 0; at < table.length; at += entrySize) {
    ends.push(Number(table.readBigUInt64LE(at + 8) + table.readBigUInt64LE(at + 32)));
  }
  return ends;
}

/** The table of sections is the last thing in a file, and no longer there. */
function withoutSections(header: Buffer): Buffer {
  const copy = Buffer.from(header);
  copy.fill(0, 40, 48);
  copy.fill(0, 58, 64);
  return copy;
}

async function readExactly(
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
