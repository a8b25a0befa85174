import { describe, expect, test } from 'vitest';
import { flagName, joinFlagValues, mergeFlags } from './flags.ts';

describe('mergeFlags()', () => {
  test.each([
    ['leaves flags alone', ['--a=1', '--b'], [], ['--a=1', '--b']],
    ['replaces in place', ['--a=1', '--b=2'], ['--a=3'], ['--a=3', '--b=2']],
    ['adds at the end, in order', ['--a=1'], ['--c', '--b=2'], ['--a=1', '--c', '--b=2']],
    [
      'keeps flags that are given several times',
      ['--a=1'],
      ['--n=1', '--n=2'],
      ['--a=1', '--n=1', '--n=2'],
    ],
    [
      'does not take a longer name for the same',
      ['--node=1'],
      ['--node-ip=2'],
      ['--node=1', '--node-ip=2'],
    ],
  ])('%s', (_, flags, changes, merged) => {
    expect(mergeFlags(flags, changes)).toEqual(merged);
    expect(mergeFlags(mergeFlags(flags, changes), changes)).toEqual(merged);
  });
});

test('flagName() is what stands before the first "="', () => {
  expect(flagName('--labels=a=b')).toBe('--labels');
  expect(flagName('--enable-storage')).toBe('--enable-storage');
});

test('flagName() is the same with one dash and with two', () => {
  expect(flagName('-nodename=mynode')).toBe('--nodename');
  expect(flagName('-v')).toBe('--v');
});

test.each([
  [
    ['--a=1', '--b'],
    ['--a=1', '--b'],
  ],
  [
    ['--a', '1', '--b', '1'],
    ['--a=1', '--b=1'],
  ],
  [
    ['--b', '--a', '1'],
    ['--b', '--a=1'],
  ],
  [
    ['-v', '4', '--a=1'],
    ['-v=4', '--a=1'],
  ],
  [
    ['--a=1', 'x'],
    ['--a=1', 'x'],
  ],
  [['x'], ['x']],
])('joinFlagValues() makes one argument of a flag and its value: %j', (args, joined) => {
  expect(joinFlagValues(args)).toEqual(joined);
});
