import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countJsonValues } from './count-json-values.ts';
import { parseBoundedJson } from './parse-bounded-json.ts';
import { ResponseTooLargeError } from './response-limits.ts';

test('countJsonValues() counts every value, and an empty list or object at most once too often', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, isIndented) => {
      const counted = countJsonValues(JSON.stringify(value, null, isIndented ? 2 : 0));
      const { values, empty } = count(value);
      expect(counted).toBe(values + empty);
    }),
    { numRuns: 2_000 },
  );
});

test('countJsonValues() ends for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', 'a') }), (text) => {
      expect(countJsonValues(text)).toBeGreaterThan(0);
    }),
  );
});

test.each([
  ['objects', '{},'],
  ['lists', '[],'],
  ['numbers', '1,'],
])('parseBoundedJson() refuses 4 MiB of %s before it parses them', (_, value) => {
  const text = `{"items":[${value.repeat((4 * 1024 * 1024) / value.length)}1]}`;
  const before = process.memoryUsage().heapUsed;
  expect(() => parseBoundedJson(text, 1_000_000)).toThrow(ResponseTooLargeError);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
});

test('parseBoundedJson() takes a long text with few values', () => {
  const data = ',[{'.repeat(1024 * 1024);
  expect(parseBoundedJson(JSON.stringify({ data }), 10)).toEqual({ data });
});

function count(value: unknown): { values: number; empty: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, empty: 0 };
  const children = Object.values(value).map(count);
  return children.reduce(
    (sum, child) => ({ values: sum.values + child.values, empty: sum.empty + child.empty }),
    { values: 1, empty: children.length === 0 ? 1 : 0 },
  );
}
