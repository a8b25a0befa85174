import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMicroTime, formatTime, parseTime } from './timestamp.ts';

const anyTime = fc.integer({ min: -62167219200000, max: 253402300799999 });
/** In which a number still tells microseconds apart. */
const ourTime = fc.integer({ min: 0, max: Date.UTC(2100) * 1000 });

test('parseTime() undoes formatTime() to the second, and formatMicroTime() to the millisecond', () => {
  fc.assert(
    fc.property(anyTime, (ms) => {
      expect(parseTime(formatTime(ms))).toBe(Math.floor(ms / 1000) * 1000);
      expect(parseTime(formatMicroTime(ms))).toBe(ms);
    }),
  );
});

test('formatMicroTime() undoes parseTime() to the microsecond', () => {
  fc.assert(
    fc.property(ourTime, (micros) => {
      const text = formatMicroTime(micros / 1000);
      expect(formatMicroTime(parseTime(text))).toBe(text);
      expect(Math.round(parseTime(text) * 1000)).toBe(micros);
    }),
  );
});

test('times sort as their texts do', () => {
  fc.assert(
    fc.property(anyTime, anyTime, (a, b) => {
      expect(formatMicroTime(a) < formatMicroTime(b)).toBe(a < b);
    }),
  );
});
