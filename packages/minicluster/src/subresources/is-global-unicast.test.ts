import { expect, test } from 'vitest';
import { isGlobalUnicast } from './is-global-unicast.ts';

test.each(['10.244.0.1', '192.0.2.2', '8.8.8.8', 'fd00::2', '2001:db8::1'])(
  'isGlobalUnicast() lets %s pass',
  (address) => expect(isGlobalUnicast(address)).toBe(true),
);

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '169.254.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'ff02::1',
  '',
  'web',
])('isGlobalUnicast() does not let "%s" pass', (address) =>
  expect(isGlobalUnicast(address)).toBe(false),
);
