import { expect, test } from 'vitest';
import { parseSchedule } from './cron-schedule.ts';
import { TimeZone } from './time-zone.ts';

function next(schedule: string, after: string, zone?: string): string | undefined {
  const ms = parseSchedule(schedule, new TimeZone(zone)).next(Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
}

test.each([
  ['* * * * *', '2030-01-01T00:00:00Z', '2030-01-01T00:01'],
  ['* * * * *', '2030-01-01T00:00:59.999Z', '2030-01-01T00:01'],
  ['*/15 * * * *', '2030-01-01T00:46:00Z', '2030-01-01T01:00'],
  ['5/20 * * * *', '2030-01-01T00:26:00Z', '2030-01-01T00:45'],
  ['0 4 * * *', '2030-01-01T04:00:00Z', '2030-01-02T04:00'],
  ['30 6-16/4 * * 1-5', '2030-01-04T15:00:00Z', '2030-01-07T06:30'],
  ['0 0 29 feb *', '2030-01-01T00:00:00Z', '2032-02-29T00:00'],
  ['0 0 13 * FRI', '2030-01-01T00:00:00Z', '2030-01-04T00:00'],
  ['0 0 */13 * fri', '2030-01-05T00:00:00Z', '2030-01-11T00:00'],
  ['0 0 ? * 0', '2030-01-01T00:00:00Z', '2030-01-06T00:00'],
  ['@yearly', '2030-03-01T00:00:00Z', '2031-01-01T00:00'],
  ['@hourly', '2030-03-01T00:30:00Z', '2030-03-01T01:00'],
  ['@every 1h30m', '2030-03-01T00:30:00Z', '2030-03-01T02:00'],
])('parseSchedule() finds that after %s … %s comes %s', (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test('parseSchedule() finds no 31 February', () => {
  expect(next('59 23 31 2 *', '2030-01-01T00:00:00Z')).toBeUndefined();
});

test.each([
  ['in winter', '2030-01-01T12:00:00Z', '2030-01-02T03:00'],
  ['in summer', '2030-07-01T12:00:00Z', '2030-07-02T02:00'],
  ['on the day on which clocks go forward', '2030-03-30T12:00:00Z', '2030-03-31T02:00'],
])('parseSchedule() goes by the clocks of the zone %s', (_, after, expected) => {
  expect(next('0 4 * * *', after, 'Europe/Rome')).toBe(expected);
});

test('parseSchedule() finds midnight in a zone behind UTC', () => {
  expect(next('0 0 1 * *', '2030-01-15T00:00:00Z', 'America/New_York')).toBe('2030-02-01T05:00');
});
