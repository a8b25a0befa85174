import { expect, test } from 'vitest';
import { forgeHeader, type Member } from './tar-header.ts';

const member: Member = {
  path: 'etc/passwd',
  type: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: 10,
  target: '',
};

/** The text of a field, up to its first zero byte. */
function field(block: Buffer, offset: number, length: number): string {
  return block.toString('latin1', offset, offset + length).replace(/\0.*$/s, '');
}

/** The content of the pax block in front. */
function pax(header: Buffer): string {
  const size = Number.parseInt(field(header, 124, 12), 8);
  return header.toString('utf8', 512, 512 + size);
}

test('forgeHeader() writes one ustar block, with no time and no names of owners', () => {
  const header = forgeHeader({ ...member, uid: 65532, gid: 7 });
  expect(header).toHaveLength(512);
  expect(field(header, 0, 100)).toBe('etc/passwd');
  expect(field(header, 100, 8)).toBe('0000644');
  expect(field(header, 108, 8)).toBe('0177774');
  expect(field(header, 116, 8)).toBe('0000007');
  expect(field(header, 124, 12)).toBe('00000000012');
  expect(field(header, 136, 12)).toBe('00000000000');
  expect(field(header, 156, 1)).toBe('0');
  expect(header.toString('latin1', 257, 265)).toBe('ustar\x0000');
  expect(header.subarray(265).every((byte) => byte === 0)).toBe(true);
});

test('forgeHeader() ends the path of a folder with a slash', () => {
  expect(field(forgeHeader({ ...member, type: 'folder', path: 'etc' }), 0, 100)).toBe('etc/');
});

test('forgeHeader() needs no pax block for a path of exactly 100 bytes', () => {
  expect(forgeHeader({ ...member, path: 'x'.repeat(100) })).toHaveLength(512);
});

test.each([
  ['a path of 101 bytes', { path: 'x'.repeat(101) }, `111 path=${'x'.repeat(101)}\n`],
  ['a path that is not ASCII', { path: 'é' }, '11 path=é\n'],
  ['a long target', { target: 'y'.repeat(101) }, `115 linkpath=${'y'.repeat(101)}\n`],
  ['a large owner', { uid: 8 ** 7 }, '15 uid=2097152\n'],
  ['a large group', { gid: 8 ** 7 }, '15 gid=2097152\n'],
  ['a large file', { size: 8 ** 11 }, '19 size=8589934592\n'],
] as const)('forgeHeader() has %s in a pax block', (_, change, record) => {
  const header = forgeHeader({ ...member, ...change });
  expect(header).toHaveLength(3 * 512);
  expect(field(header, 156, 1)).toBe('x');
  expect(pax(header)).toBe(record);
});

test.each([85, 86, 87, 88, 89, 90, 91, 92, 93, 984, 985, 986, 987, 988, 989])(
  'forgeHeader() counts the digits of the length of a record (%i bytes)',
  (length) => {
    const record = pax(forgeHeader({ ...member, path: 'é'.repeat(length) }));
    expect(Buffer.byteLength(record)).toBe(Number.parseInt(record, 10));
  },
);
