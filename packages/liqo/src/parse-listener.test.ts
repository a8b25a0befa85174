import { expect, test } from 'vitest';
import { UsageError } from './flags.ts';
import { parseListener } from './parse-listener.ts';

test.each([
  [':8081', { port: 8081 }],
  [':0', { port: 0 }],
  ['10.0.0.1:8081', { port: 8081, host: '10.0.0.1' }],
  ['localhost:65535', { port: 65_535, host: 'localhost' }],
  ['[::1]:8081', { port: 8081, host: '::1' }],
])('parseListener() reads "%s"', (text, listener) => {
  expect(parseListener(text)).toEqual(listener);
});

test.each([
  '',
  '8081',
  ':',
  'host:',
  ':65536',
  ':-1',
  ':80a',
  ':8.1',
  '::1',
  '[]:80',
  '[::1]',
  ' :80',
])('parseListener() refuses "%s"', (text) => {
  expect(() => parseListener(text)).toThrow(
    new UsageError(`Cannot listen on "${text}": it is not of the form "host:port" or ":port"`),
  );
});
