/**
 * The header blocks of a tar archive, POSIX 2001: a ustar block, and before it, only where a field cannot hold a value, a
 * pax block that does. Times are zero and owners have no names, so the same input gives the same bytes on every machine.
 */
export interface Member {
  readonly path: string;
  readonly type: 'file' | 'folder' | 'symlink';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly target: string;
}

export const blockSize = 512;

const typeFlags = { file: '0', symlink: '2', folder: '5', pax: 'x' } as const;

interface Field {
  readonly offset: number;
  readonly length: number;
}

const fields = {
  path: { offset: 0, length: 100 },
  mode: { offset: 100, length: 8 },
  uid: { offset: 108, length: 8 },
  gid: { offset: 116, length: 8 },
  size: { offset: 124, length: 12 },
  mtime: { offset: 136, length: 12 },
  checksum: { offset: 148, length: 8 },
  type: { offset: 156, length: 1 },
  target: { offset: 157, length: 100 },
  magic: { offset: 257, length: 8 },
} as const satisfies Record<string, Field>;

/** One block, or three when something does not fit. */
export function forgeHeader(member: Member): Buffer {
  const path = member.type === 'folder' ? `${member.path}/` : member.path;
  const full = { ...member, path };
  const records = paxRecords(full);
  return records.length === 0
    ? forgeBlock(full, typeFlags[member.type])
    : Buffer.concat([forgePax(records), forgeBlock(full, typeFlags[member.type])]);
}

/** What follows a content of this size, up to the next block. */
export function forgePadding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}

/** Two empty blocks end an archive. */
export function forgeEnd(): Buffer {
  return Buffer.alloc(2 * blockSize);
}

function forgeBlock(member: Omit<Member, 'type'>, typeFlag: string): Buffer {
  const block = Buffer.alloc(blockSize);
  writeText(block, fields.path, member.path);
  writeNumber(block, fields.mode, member.mode);
  writeNumber(block, fields.uid, member.uid);
  writeNumber(block, fields.gid, member.gid);
  writeNumber(block, fields.size, member.size);
  writeNumber(block, fields.mtime, 0);
  writeText(block, fields.type, typeFlag);
  writeText(block, fields.target, member.target);
  writeText(block, fields.magic, 'ustar\x0000');
  writeChecksum(block);
  return block;
}

/** The sum of all bytes, those of the checksum itself taken as spaces. */
function writeChecksum(block: Buffer): void {
  const { offset, length } = fields.checksum;
  block.fill(' ', offset, offset + length);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, offset, 'latin1');
}

/** As much as there is room for: what is cut off here is whole in the pax block. */
function writeText(block: Buffer, { offset, length }: Field, text: string): void {
  Buffer.from(text).copy(block, offset, 0, length);
}

/** Octal digits and a zero byte. A number that does not fit is 0 here, and whole in the pax block. */
function writeNumber(block: Buffer, field: Field, value: number): void {
  const digits = (fitsNumber(field, value) ? value : 0).toString(8);
  block.write(digits.padStart(field.length - 1, '0'), field.offset, 'latin1');
}

function fitsNumber({ length }: Field, value: number): boolean {
  return value < 8 ** (length - 1);
}

/** Other bytes than ASCII have no agreed meaning in a ustar block. */
function fitsText({ length }: Field, text: string): boolean {
  return Buffer.byteLength(text) <= length && /^[\x20-\x7e]*$/.test(text);
}

function paxRecords(member: Member): string[] {
  const records: string[] = [];
  if (!fitsNumber(fields.gid, member.gid)) records.push(paxRecord('gid', `${member.gid}`));
  if (!fitsText(fields.target, member.target)) records.push(paxRecord('linkpath', member.target));
  if (!fitsText(fields.path, member.path)) records.push(paxRecord('path', member.path));
  if (!fitsNumber(fields.size, member.size)) records.push(paxRecord('size', `${member.size}`));
  if (!fitsNumber(fields.uid, member.uid)) records.push(paxRecord('uid', `${member.uid}`));
  return records;
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const guess = bytes + `${bytes}`.length;
  return `${bytes + `${guess}`.length}${rest}`;
}

function forgePax(records: readonly string[]): Buffer {
  const content = Buffer.from(records.join(''));
  const member = {
    path: 'PaxHeader',
    mode: 0o644,
    uid: 0,
    gid: 0,
    size: content.length,
    target: '',
  };
  return Buffer.concat([forgeBlock(member, typeFlags.pax), content, forgePadding(content.length)]);
}
