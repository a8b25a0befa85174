import { expect, test } from 'vitest';
import {
  DurationError,
  durationFromMs,
  durationToMs,
  formatDuration,
  parseDuration,
} from './duration.ts';
// What Go 1.26 answers, for durations chosen by hand and at random.
import vectors from './duration.vectors.json' with { type: 'json' };

test('parseDuration() and formatDuration() agree with Go', () => {
  const ours = vectors.parse.map(([text = '']) => {
    const duration = parseDuration(text);
    return [text, `${duration}`, formatDuration(duration)];
  });
  expect(ours).toEqual(vectors.parse);
});

test.each(vectors.refuse)('parseDuration() refuses %j as Go does', (text) => {
  expect(() => parseDuration(text)).toThrow(DurationError);
});

test.each([
  ['', 'it is empty'],
  ['-', 'it is empty'],
  ['soon', '"soon" does not start with a number'],
  ['1h later', '"h later" is not a unit (use ns, us, ms, s, m or h)'],
  ['1d', '"d" is not a unit (use ns, us, ms, s, m or h)'],
  ['1h30', '"30" has no unit (use ns, us, ms, s, m or h)'],
  ['3000000h', 'it is longer than 292 years'],
])('parseDuration() says what is wrong with %j', (text, fact) => {
  expect(() => parseDuration(text)).toThrow(
    new DurationError(`Cannot parse duration "${text}": ${fact}`),
  );
});

test.each([
  [0, 0n],
  [1, 1_000_000n],
  [1500, 1_500_000_000n],
  [0.1, 100_000n],
  [0.000001, 1n],
  [-2.5, -2_500_000n],
  [1.0000004, 1_000_000n],
  [86_400_000.000001, 86_400_000_000_001n],
])('durationFromMs() makes of %d ms %d ns, and durationToMs() back', (ms, nanoseconds) => {
  expect(durationFromMs(ms)).toBe(nanoseconds);
  expect(durationToMs(nanoseconds)).toBeCloseTo(ms, 6);
});

test('durationFromMs() refuses what is not a number', () => {
  expect(() => durationFromMs(Number.NaN)).toThrow(RangeError);
  expect(() => durationFromMs(Number.POSITIVE_INFINITY)).toThrow(RangeError);
});
