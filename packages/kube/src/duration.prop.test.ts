import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationFromMs, durationToMs, formatDuration, parseDuration } from './duration.ts';

const durations = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -10_000_000_000n, max: 10_000_000_000n }),
);

/** Below 49 days a number of milliseconds tells nanoseconds apart. */
const shortDurations = fc.bigInt({ min: -(2n ** 32n) * 1_000_000n, max: 2n ** 32n * 1_000_000n });

test('parseDuration() undoes formatDuration() to the nanosecond', () => {
  fc.assert(
    fc.property(durations, (duration) => {
      expect(parseDuration(formatDuration(duration))).toBe(duration);
    }),
  );
});

test('durationFromMs() undoes durationToMs() to the nanosecond', () => {
  fc.assert(
    fc.property(shortDurations, (duration) => {
      expect(durationFromMs(durationToMs(duration))).toBe(duration);
    }),
    { numRuns: 1000 },
  );
});
