import { expect, test } from 'vitest';
import { checkDnsLabel, checkDnsSubdomain, checkRfc1035Label } from './names.ts';
import { truncateName } from './truncate-name.ts';

test('truncateName() keeps a name that is short enough', () => {
  expect(truncateName('web', 63)).toBe('web');
  expect(truncateName('x'.repeat(63), 63)).toBe('x'.repeat(63));
});

test('truncateName() cuts a long name and appends a hash', () => {
  const name = truncateName(`liqo-tenant-${'x'.repeat(80)}`, 63);
  expect(name).toMatch(/^liqo-tenant-x{37}-[a-z0-9]{13}$/);
  expect(name).toHaveLength(63);
  expect(checkDnsLabel(name)).toEqual([]);
});

test('truncateName() never changes its mind', () => {
  expect(truncateName('a-name-that-is-too-long-for-this', 20)).toBe('a-name-038qrzpocfba4');
});

test('truncateName() keeps names apart that begin alike', () => {
  const [a, b] = ['a', 'b'].map((end) => truncateName('x'.repeat(100) + end, 63));
  expect(a).not.toBe(b);
});

test('truncateName() does not cut where punctuation would come before the hash', () => {
  const name = truncateName(`web.-._${'x'.repeat(60)}`, 20);
  expect(name).toMatch(/^web-[a-z0-9]{13}$/);
});

test('truncateName() keeps every kind of name valid', () => {
  const name = truncateName('a.b-c.'.repeat(50).slice(0, -1), 253);
  expect(checkDnsSubdomain(name)).toEqual([]);
  expect(checkRfc1035Label(truncateName(`s${'9'.repeat(70)}`, 63))).toEqual([]);
});

test('truncateName() refuses a length that has no room for a hash', () => {
  expect(() => truncateName('a-rather-long-name', 14)).toThrow(
    'Cannot truncate "a-rather-long-name" to 14 characters: a hash needs more',
  );
  expect(truncateName('a-rather-long-name', 15)).toHaveLength(15);
});
