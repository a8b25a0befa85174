import { expect, test } from 'vitest';
import { compareResourceVersions } from './compare-resource-versions.ts';

test.each([
  ['9', '10', 'older'],
  ['10', '9', 'newer'],
  ['10', '10', 'the same'],
  ['9007199254740993', '9007199254740992', 'newer'],
  ['340282366920938463463374607431768211455', '340282366920938463463374607431768211456', 'older'],
])('compareResourceVersions() finds %s against %s %s', (a, b, expected) => {
  const order = compareResourceVersions(a, b) ?? Number.NaN;
  expect(order < 0 ? 'older' : order > 0 ? 'newer' : 'the same').toBe(expected);
});

test.each([
  ['abc', '10'],
  ['10', ''],
  ['007', '10'],
  ['0', '10'],
  ['-1', '10'],
  ['1e3', '10'],
  ['10 ', '11'],
])('compareResourceVersions() does not order "%s" and "%s"', (a, b) => {
  expect(compareResourceVersions(a, b)).toBeUndefined();
  expect(compareResourceVersions(b, a)).toBeUndefined();
});

test('compareResourceVersions() knows that something is the same as itself, whatever it is', () => {
  expect(compareResourceVersions('opaque', 'opaque')).toBe(0);
});
