import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';
import { maxLineLength, ResponseTooLargeError } from './response-limits.ts';

/** Any text but lone halves of surrogate pairs, which UTF-8 cannot say. */
const line = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', ''));
const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 40 });

function cutUp(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return [...chunks, bytes.subarray(start)];
}

test('LineSplitter gives the same lines however the bytes are cut up', () => {
  const property = fc.property(fc.array(line), line, cuts, (lines, unfinished, sizes) => {
    const text = lines.map((one) => `${one}\n`).join('') + unfinished;
    const splitter = new LineSplitter();
    const chunks = cutUp(new TextEncoder().encode(text), sizes);
    expect(chunks.flatMap((chunk) => splitter.push(chunk))).toEqual(lines);
  });
  fc.assert(property, { numRuns: 500 });
});

test('LineSplitter gives the same lines when every byte comes alone', () => {
  const property = fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
    const bytes = new TextEncoder().encode(lines.map((one) => `${one}\n`).join(''));
    const splitter = new LineSplitter();
    const seen: string[] = [];
    for (const byte of bytes) seen.push(...splitter.push(Uint8Array.of(byte)));
    expect(seen).toEqual(lines);
  });
  fc.assert(property);
});

test.each([
  ['a byte that no character has', [0xff, 0x0a]],
  ['a character cut off by the end of the line', [0xe2, 0x82, 0x0a]],
  ['a lone half of a surrogate pair', [0xed, 0xa0, 0x80, 0x0a]],
])('LineSplitter refuses %s instead of putting something else there', (_, bytes) => {
  expect(() => new LineSplitter().push(Uint8Array.from(bytes))).toThrow(TypeError);
});

test('LineSplitter refuses a line without an end before it fills the memory', () => {
  const splitter = new LineSplitter();
  const chunk = new Uint8Array(1024 * 1024).fill(0x20);
  const pushed = () => {
    for (let bytes = 0; bytes <= maxLineLength; bytes += chunk.length) splitter.push(chunk);
  };
  expect(pushed).toThrow(ResponseTooLargeError);
});
