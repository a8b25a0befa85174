import { expect, test } from 'vitest';
import { childPointer, parsePointer } from './json-pointer.ts';

test.each([
  ['', []],
  ['/', ['']],
  ['/spec/containers/0', ['spec', 'containers', '0']],
  ['/a~1b/c~0d/~01', ['a/b', 'c~d', '~1']],
  ['//', ['', '']],
])('parsePointer() takes %j apart', (pointer, steps) => {
  expect(parsePointer(pointer)).toEqual(steps);
});

test.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~'])('parsePointer() does not take %j', (pointer) => {
  expect(parsePointer(pointer)).toBeUndefined();
});

test.each(['spec', '', 'a/b', 'c~d', '~1', '~0', 7])('childPointer() leads to %j', (step) => {
  expect(parsePointer(childPointer('/metadata', step))).toEqual(['metadata', String(step)]);
});
