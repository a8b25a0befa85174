import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['no header', undefined, undefined],
  ['whole seconds', '7', 7_000],
  ['no wait at all', '0', 0],
  ['a date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['a year, of which it heeds a minute', '31536000', 60_000],
  ['a date in a year, of which it heeds a minute', 'Mon, 01 Mar 2027 12:00:00 GMT', 60_000],
  ['a date in the old form of RFC 850', 'Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
  ['a date that has passed', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['nothing', '', undefined],
  ['words', 'soon', undefined],
  ['a negative number', '-5', undefined],
  ['a fraction', '1.5', undefined],
  ['words with a number', 'in 5', undefined],
])('parseRetryAfter() understands %s', (_, header, waitMs) => {
  expect(parseRetryAfter(header, nowMs)).toBe(waitMs);
});
