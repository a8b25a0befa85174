import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDnsSubdomain } from './names.ts';
import { truncateName } from './truncate-name.ts';

const subdomains = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?(\.[a-z0-9]{1,9}){0,3}$/);
const lengths = fc.integer({ min: 15, max: 60 });

test('truncateName() makes of a valid name a valid name that is short enough', () => {
  fc.assert(
    fc.property(subdomains, lengths, (name, maxLength) => {
      const short = truncateName(name, maxLength);
      expect(checkDnsSubdomain(short)).toEqual([]);
      expect(short.length).toBeLessThanOrEqual(maxLength);
    }),
  );
});

test('truncateName() keeps different names different', () => {
  fc.assert(
    fc.property(subdomains, subdomains, lengths, (a, b, maxLength) => {
      expect(truncateName(a, maxLength) === truncateName(b, maxLength)).toBe(a === b);
    }),
  );
});
