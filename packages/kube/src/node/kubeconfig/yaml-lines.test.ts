import { parseEvents } from 'js-yaml';
import { expect, test } from 'vitest';
import { yamlLines } from './yaml-lines.ts';

function linesOf(text: string): Record<string, number> {
  return Object.fromEntries(yamlLines(text, parseEvents(text, {})));
}

test('yamlLines() finds every key and every item', () => {
  const text = `# a comment
users:
- name: a
  user:
    token: x

- name: b
flow: { one: [1,
  2], two: 2 }
`;
  expect(linesOf(text)).toEqual({
    users: 2,
    'users[0]': 3,
    'users[0].name': 3,
    'users[0].user': 4,
    'users[0].user.token': 5,
    'users[1]': 7,
    'users[1].name': 7,
    flow: 8,
    'flow.one': 8,
    'flow.one[0]': 8,
    'flow.one[1]': 9,
    'flow.two': 9,
  });
});

test('yamlLines() counts the lines inside of long values', () => {
  const text = 'a: |\n  one\n  two\nb: "x\n\n  y"\nc:\n  - \n  - *r\nd: &r z\n';
  expect(linesOf(text)).toMatchObject({ a: 1, b: 4, c: 7, 'c[1]': 9, d: 10 });
});

test('yamlLines() counts lines with a carriage return once', () => {
  expect(linesOf('a: 1\r\nb: 2\r\n')).toEqual({ a: 1, b: 2 });
});

test.each([
  ['an empty text', ''],
  ['a scalar', 'x'],
  ['an empty document', '---'],
])('yamlLines() has nothing to say about %s', (_, text) => {
  expect(linesOf(text)).toEqual({});
});
