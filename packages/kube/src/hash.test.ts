import { expect, test } from 'vitest';
import { fnv1a64, hashLength, hashText } from './hash.ts';

// Published with the algorithm.
test.each([
  ['', 0xcbf29ce484222325n],
  ['a', 0xaf63dc4c8601ec8cn],
  ['b', 0xaf63df4c8601f1a5n],
  ['foo', 0xdcb27518fed9d577n],
  ['foobar', 0x85944171f73967e8n],
])('fnv1a64() of %j is the published value', (text, hash) => {
  expect(fnv1a64(text)).toBe(hash);
});

test('hashText() has a fixed length and is fit for a name', () => {
  for (const text of ['', 'a', 'ä', '\u{1F600}', 'x'.repeat(1000)]) {
    expect(hashText(text)).toMatch(/^[a-z0-9]+$/);
    expect(hashText(text)).toHaveLength(hashLength);
  }
});

test('hashText() keeps ten thousand similar names apart', () => {
  const hashes = Array.from({ length: 10_000 }, (_, index) => hashText(`web-${index}`));
  expect(new Set(hashes).size).toBe(10_000);
});
