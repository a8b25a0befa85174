import { expect, test } from 'vitest';
import type { FlagTable } from './flag.ts';
import { splitArguments } from './split-arguments.ts';

const table: FlagTable = {
  output: { type: 'text', short: 'o', help: '' },
  'dry-run': { type: 'boolean', help: '' },
};

test.each([
  [['--output', 'yaml'], 'output', 'yaml'],
  [['--output=yaml'], 'output', 'yaml'],
  [['--output='], 'output', ''],
  [['--output=a=b'], 'output', 'a=b'],
  [['-o', 'yaml'], 'output', 'yaml'],
  [['-o=yaml'], 'output', 'yaml'],
  [['-oyaml'], 'output', 'yaml'],
  [['-o', '-1'], 'output', '-1'],
  [['--dry-run'], 'dry-run', 'true'],
  [['--dry-run=false'], 'dry-run', 'false'],
])('splitArguments() reads %j as a flag with its value', (args, name, value) => {
  expect(splitArguments(args, table)).toMatchObject([{ type: 'flag', name, value }]);
});

test('splitArguments() takes no word for a boolean', () => {
  expect(splitArguments(['--dry-run', 'true'], table)).toMatchObject([
    { name: 'dry-run', value: 'true' },
    { type: 'word', text: 'true' },
  ]);
});

test.each([[['--output']], [['-o']], [['--output', '--dry-run']]])(
  'splitArguments() leaves the value of %j open',
  (args) => {
    expect(splitArguments(args, table)[0]).toMatchObject({ name: 'output', value: undefined });
  },
);

test.each(['--colour', '-x', '-xyz'])('splitArguments() knows no %s', (arg) => {
  expect(splitArguments([arg], table)).toEqual([
    { type: 'flag', written: arg, name: undefined, value: undefined },
  ]);
});

test('splitArguments() takes everything after -- for words', () => {
  const words = splitArguments(['--', '--output', '-o', '--'], table);
  expect(words.map((part) => part.type === 'word' && part.text)).toEqual(['--output', '-o', '--']);
});

test('splitArguments() takes a lone dash for a word', () => {
  expect(splitArguments(['-'], table)).toEqual([{ type: 'word', text: '-' }]);
});
