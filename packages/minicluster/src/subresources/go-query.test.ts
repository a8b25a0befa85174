import { expect, test } from 'vitest';
import { goQuery } from './go-query.ts';

test.each([
  [{}, ''],
  [{ command: [] }, ''],
  [{ output: ['1'], command: ['ls', 'a b'] }, '?command=ls&command=a+b&output=1'],
  [{ command: ['*~&=+%é'] }, '?command=%2A~%26%3D%2B%25%C3%A9'],
])('goQuery(%o) is %o', (parameters, query) => {
  expect(goQuery(parameters)).toBe(query);
});
