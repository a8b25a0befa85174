import { expect, test } from 'vitest';
import { parseWarnings } from './warning-header.ts';

test.each([
  ['no header', undefined, []],
  ['one warning', '299 - "v1beta1 is deprecated"', ['v1beta1 is deprecated']],
  ['several, with commas inside', '299 - "a, b", 299 - "c"', ['a, b', 'c']],
  ['escaped quotes', String.raw`299 - "unknown field \"spec.x\""`, ['unknown field "spec.x"']],
  ['something else', 'hello', []],
])('parseWarnings() reads %s', (_, header, warnings) => {
  expect(parseWarnings(header)).toEqual(warnings);
});
