import { expect, test } from 'vitest';
import { cronFault } from './cron-schedule.ts';

test.each([
  '* * * * *',
  '*/5 0-6 1,15 jan-mar MON',
  '0 0 ? * 0-6/2',
  '@daily',
  '@every 1h30m',
  'TZ=Europe/Rome 0 4 * * *',
])('cronFault() finds nothing wrong with %j', (schedule) => {
  expect(cronFault(schedule)).toBeUndefined();
});

test.each([
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['@never', 'unrecognized descriptor: @never'],
])('cronFault() says of %j: %s', (schedule, fault) => {
  expect(cronFault(schedule)).toBe(fault);
});
