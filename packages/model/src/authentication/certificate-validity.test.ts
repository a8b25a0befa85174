import { expect, test } from 'vitest';
import { isNewer, validityChangesInMs, validityProblem } from './certificate-validity.ts';
import type { ClientCertificate } from './judge-auth-params.ts';

const hour = 60 * 60_000;
const now = Date.UTC(2026, 0, 1);

function valid(fromMs: number, toMs: number): ClientCertificate {
  return { subject: [], isOfOurKey: true, notBeforeMs: now + fromMs, notAfterMs: now + toMs };
}

test.each([
  ['in its life', valid(-hour, hour), undefined, hour],
  ['past its life', valid(-2 * hour, -1), 'CertificateExpired', undefined],
  ['at its end', valid(-hour, 0), 'CertificateExpired', undefined],
  ['before its life', valid(hour, 2 * hour), 'CertificateNotYetValid', hour - 5 * 60_000],
  ['within the skew of two clocks', valid(60_000, 2 * hour), undefined, 2 * hour],
])(
  'validityProblem() and validityChangesInMs() of a certificate %s',
  (_, found, reason, change) => {
    expect(validityProblem(found, now)?.reason).toBe(reason);
    expect(validityChangesInMs(found, now)).toBe(change);
  },
);

const current = valid(-hour, hour);

test.each([
  ['issued later', valid(0, 2 * hour), current, true],
  ['issued later with a shorter life', valid(0, hour / 2), current, true],
  ['issued earlier with a longer life', valid(-2 * hour, 3 * hour), current, false],
  ['itself', current, current, false],
  ['expired already', valid(-hour / 2, -1), current, false],
  ['not valid yet', valid(hour, 2 * hour), current, false],
  ['in place of one that has expired', valid(-3 * hour, hour), valid(-2 * hour, -hour), true],
  ['in place of none', valid(-hour, hour), undefined, true],
])('isNewer() judges a certificate %s', (_, next, known, expected) => {
  expect(isNewer(next, known, now)).toBe(expected);
});
