import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { findCommand } from './find-command.ts';

test.each([
  [['create', 'virtualnode', 'a'], ['create', 'virtualnode'], ['a']],
  [['create', 'vn', 'a'], ['create', 'virtualnode'], ['a']],
  [['get', 'virtualnodes'], ['get', 'virtualnode'], []],
  [['offload', 'ns', 'ns'], ['offload', 'namespace'], ['ns']],
  [
    ['--context', 'get', 'get', 'vn'],
    ['get', 'virtualnode'],
    ['--context', 'get'],
  ],
  [
    ['get', '-n', 'vn', 'vn', 'vn'],
    ['get', 'virtualnode'],
    ['-n', 'vn', 'vn'],
  ],
  [['get', '--', 'vn'], undefined, undefined],
  [['info'], ['info'], []],
])('findCommand() in %j', (args, path, rest) => {
  const found = findCommand(commands, args);
  if (path === undefined) expect(found.type).toBe('group');
  else expect(found).toMatchObject({ type: 'command', command: { path }, rest });
});

test.each([
  [['crate', 'virtualnode'], [], 'crate', 'create'],
  [['get', 'pods'], ['get'], 'pods', undefined],
  [['delete', 'virtualnod'], ['delete'], 'virtualnod', 'virtualnode'],
])('findCommand() knows no %j', (args, path, word, didYouMean) => {
  expect(findCommand(commands, args)).toEqual({ type: 'unknown', path, word, didYouMean });
});

test.each([[[]], [['--help']], [['create']], [['create', '-h']]])(
  'findCommand() finds a group in %j',
  (args) => {
    expect(findCommand(commands, args).type).toBe('group');
  },
);
