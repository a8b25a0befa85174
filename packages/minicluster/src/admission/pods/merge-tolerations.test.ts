import { expect, test } from 'vitest';
import { mergeTolerations } from './merge-tolerations.ts';

const equal = { key: 'a', operator: 'Equal', value: '1', effect: 'NoSchedule' } as const;
const exists = { key: 'a', operator: 'Exists' } as const;
const all = { operator: 'Exists' } as const;
const forFive = {
  key: 'a',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 5,
} as const;
const forNine = { ...forFive, tolerationSeconds: 9 };
const forever = { key: 'a', operator: 'Exists', effect: 'NoExecute' } as const;

test.each([
  ['keeps both when neither covers the other', [equal], [forFive], [equal, forFive]],
  ['keeps one of two that are the same', [equal], [{ ...equal }], [equal]],
  ['leaves out what a later one covers', [equal], [exists], [exists]],
  ['leaves out what an earlier one covers', [exists], [equal], [exists]],
  ['takes the empty key for all keys', [equal, forFive], [all], [all]],
  ['lets the longer time cover the shorter', [forFive], [forNine], [forNine]],
  ['lets forever cover any time', [forNine], [forever], [forever]],
  ['keeps another value', [equal], [{ ...equal, value: '2' }], [equal, { ...equal, value: '2' }]],
])('mergeTolerations() %s', (_, first, second, expected) => {
  expect(mergeTolerations([...first], [...second])).toEqual(expected);
});
