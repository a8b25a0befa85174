import { expect, test } from 'vitest';
import { humanDuration, timeSince } from './human-duration.ts';

/** Milliseconds, and what apimachinery's HumanDuration makes of them. */
const durations: readonly [number, string][] = [
  [-5_000, '<invalid>'],
  [-2_000, '<invalid>'],
  [-1_999, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [999, '0s'],
  [59_999, '59s'],
  [119_999, '119s'],
  [120_000, '2m'],
  [121_000, '2m1s'],
  [599_999, '9m59s'],
  [605_000, '10m'],
  [5_400_000, '90m'],
  [10_799_999, '179m'],
  [10_800_000, '3h'],
  [10_860_000, '3h1m'],
  [28_799_999, '7h59m'],
  [30_600_000, '8h'],
  [172_799_999, '47h'],
  [172_800_000, '2d'],
  [176_400_000, '2d1h'],
  [691_199_999, '7d23h'],
  [691_200_000, '8d'],
  [63_071_999_999, '729d'],
  [63_072_000_000, '2y'],
  [63_158_400_000, '2y1d'],
  [252_287_999_999, '7y364d'],
  [252_288_000_000, '8y'],
  [315_360_000_000, '10y'],
];

test.each(durations)('humanDuration() says of %d ms that it is %s', (durationMs, text) => {
  expect(humanDuration(durationMs)).toBe(text);
});

test('timeSince() does not know how long ago a time was that is not set', () => {
  expect(timeSince(undefined, 0)).toBe('<unknown>');
  expect(timeSince(null, 0)).toBe('<unknown>');
  expect(timeSince('1970-01-01T00:00:00Z', 61_000)).toBe('61s');
});
