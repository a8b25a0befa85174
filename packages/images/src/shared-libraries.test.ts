import { expect, test } from 'vitest';
import { parseLibraries } from './shared-libraries.ts';

test('parseLibraries() takes the paths, that of the loader too, and leaves out what the kernel provides', () => {
  const output = [
    '\tlinux-vdso.so.1 (0x00007f2bad543000)',
    '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f2bad44d000)',
    '\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2bad01e000)',
    '\t/lib64/ld-linux-x86-64.so.2 (0x00007f2bad545000)',
    '',
  ].join('\n');
  expect(parseLibraries(output)).toEqual([
    '/lib/x86_64-linux-gnu/libm.so.6',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
});

test('parseLibraries() names a library that is not there', () => {
  expect(() => parseLibraries('\tlibnftables.so.1 => not found\n')).toThrow(
    'Cannot find library "libnftables.so.1"',
  );
});
