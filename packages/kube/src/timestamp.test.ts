import { expect, test } from 'vitest';
import { formatMicroTime, formatTime, parseTime, TimestampError } from './timestamp.ts';

const noon = Date.UTC(2026, 0, 31, 12);

test.each([
  [noon, '2026-01-31T12:00:00Z'],
  [noon + 999.999, '2026-01-31T12:00:00Z'],
  [0, '1970-01-01T00:00:00Z'],
  [-1, '1969-12-31T23:59:59Z'],
  [-62135596800000, '0001-01-01T00:00:00Z'],
  [253402300799999, '9999-12-31T23:59:59Z'],
])('formatTime() writes %d as %s', (ms, text) => {
  expect(formatTime(ms)).toBe(text);
});

test.each([
  [noon, '2026-01-31T12:00:00.000000Z'],
  [noon + 7, '2026-01-31T12:00:00.007000Z'],
  [noon + 123.456, '2026-01-31T12:00:00.123456Z'],
  [noon + 0.001, '2026-01-31T12:00:00.000001Z'],
  [noon + 999.9999, '2026-01-31T12:00:01.000000Z'],
  [-0.001, '1969-12-31T23:59:59.999999Z'],
  [-0.0001, '1970-01-01T00:00:00.000000Z'],
  [253402300799999, '9999-12-31T23:59:59.999000Z'],
])('formatMicroTime() writes %d as %s', (ms, text) => {
  expect(formatMicroTime(ms)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 253402300800000, -62167219200001])(
  'formatTime() and formatMicroTime() refuse %d, which has no year of four digits',
  (ms) => {
    expect(() => formatTime(ms)).toThrow(TimestampError);
    expect(() => formatMicroTime(ms)).toThrow(TimestampError);
  },
);

test.each([
  ['2026-01-31T12:00:00Z', noon],
  ['2026-01-31T12:00:00.5Z', noon + 500],
  ['2026-01-31T12:00:00.123456Z', noon + 123.456],
  ['2026-01-31T12:00:00.123456789Z', noon + 123.456789],
  ['2026-01-31T14:00:00+02:00', noon],
  ['2026-01-31T06:30:00-05:30', noon],
  ['2026-02-01T11:59:00+23:59', noon],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['0001-01-01T00:00:00Z', -62135596800000],
])('parseTime() reads %s', (text, ms) => {
  expect(parseTime(text)).toBe(ms);
});

test.each([
  '',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31 12:00:00Z',
  '2026-01-31t12:00:00z',
  '2026-1-31T12:00:00Z',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00,5Z',
  '2026-01-31T12:00:00+0200',
  ' 2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00Z\n',
  '+002026-01-31T12:00:00Z',
])('parseTime() refuses %j, which is not of the form', (text) => {
  expect(() => parseTime(text)).toThrow(
    new TimestampError(`Cannot parse time "${text}": it is not of the form 2026-01-31T12:00:00Z`),
  );
});

test.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:60Z',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00+02:60',
])('parseTime() refuses %j, which does not exist', (text) => {
  expect(() => parseTime(text)).toThrow(
    `Cannot parse time "${text}": there is no such date, time of day or time zone`,
  );
});
