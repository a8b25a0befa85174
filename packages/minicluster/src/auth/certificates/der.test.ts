import { expect, test } from 'vitest';
import {
  bitString,
  childrenOf,
  DerError,
  decode,
  decodeBitString,
  decodeObjectIdentifier,
  encode,
  expectTag,
  integer,
  objectIdentifier,
  sequence,
  setOf,
  tags,
  text,
  time,
} from './der.ts';

const hex = (bytes: Buffer) => bytes.toString('hex');

test.each([
  [0, '020100'],
  [127, '02017f'],
  [128, '02020080'],
  [256, '02020100'],
])('integer() writes %d', (value, expected) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  expect(hex(integer(bytes))).toBe(expected);
});

test.each([
  ['2.5.4.3', '0603550403'],
  ['1.2.840.113549.1.1.11', '06092a864886f70d01010b'],
  ['2.999.3', '0603883703'],
])('objectIdentifier() writes %s, and decodeObjectIdentifier() reads it', (dotted, expected) => {
  const encoded = objectIdentifier(dotted);
  expect(hex(encoded)).toBe(expected);
  expect(decodeObjectIdentifier(decode(encoded))).toBe(dotted);
});

test.each([
  ['system:node:one', tags.printableString],
  ['', tags.printableString],
  ['jané', tags.utf8String],
  ['a@b', tags.utf8String],
  ['*', tags.utf8String],
])('text() chooses the type of "%s" as Go does', (value, tag) => {
  expect(decode(text(value))).toMatchObject({ tag, content: Buffer.from(value) });
});

test.each([
  ['2026-11-15T07:24:08.900Z', tags.utcTime, '261115072408Z'],
  ['1950-01-01T00:00:00Z', tags.utcTime, '500101000000Z'],
  ['2049-12-31T23:59:59Z', tags.utcTime, '491231235959Z'],
  ['2050-01-01T00:00:00Z', tags.generalizedTime, '20500101000000Z'],
])('time() writes %s', (iso, tag, expected) => {
  const element = decode(time(Date.parse(iso)));
  expect(element.tag).toBe(tag);
  expect(element.content.toString()).toBe(expected);
});

test('setOf() sorts its elements by their bytes', () => {
  const [first, second] = childrenOf(decode(setOf(text('b'), text('a'))));
  expect([first?.content.toString(), second?.content.toString()]).toEqual(['a', 'b']);
});

test.each([127, 128, 255, 256, 65_536])(
  'decode() reads what encode() wrote of %d bytes',
  (size) => {
    const content = Buffer.alloc(size, 7);
    expect(decode(encode(tags.octetString, content)).content.equals(content)).toBe(true);
  },
);

test('childrenOf() gives the elements of a sequence, each as it was encoded', () => {
  const parts = [integer(Buffer.of(1)), text('x'), sequence()];
  expect(childrenOf(decode(sequence(...parts))).map(({ encoded }) => encoded)).toEqual(parts);
});

test.each(['', '30', '3003', '30020101ff', '308500000000010102', '3080'])(
  'decode() refuses the bytes "%s"',
  (bytes) => {
    expect(() => childrenOf(decode(Buffer.from(bytes, 'hex')))).toThrow(DerError);
  },
);

test('expectTag() refuses another tag, and an absent element', () => {
  expect(() => expectTag(decode(text('x')), tags.sequence)).toThrow(DerError);
  expect(() => expectTag(undefined, tags.sequence)).toThrow(DerError);
});

test('decodeBitString() refuses loose bits', () => {
  expect(decodeBitString(decode(bitString(Buffer.of(1, 2))))).toEqual(Buffer.of(1, 2));
  expect(() => decodeBitString(decode(bitString(Buffer.of(0x80), 7)))).toThrow(DerError);
});
