import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { runInContainer } from './tiny-shell.ts';

async function run(command: readonly string[], typed = '') {
  let [stdout, stderr] = ['', ''];
  const exitCode = await runInContainer(command, {
    env: { COLOR: 'red', HOSTNAME: 'web' },
    files: new Map([['/etc/config/a', 'content\n']]),
    stdin: (async function* () {
      if (typed) yield Buffer.from(typed);
    })(),
    stdout: (text) => {
      stdout += Buffer.from(text as string).toString();
    },
    stderr: (text) => {
      stderr += Buffer.from(text as string).toString();
    },
    clock: new VirtualClock(),
    signal: new AbortController().signal,
  });
  return { exitCode, stdout, stderr };
}

test.each([
  [['echo', '-n', 'a', 'b'], 0, 'a b', ''],
  [['cat', '/etc/config/a'], 0, 'content\n', ''],
  [['cat', '/absent'], 1, '', 'cat: /absent: No such file or directory\n'],
  [['printenv', 'COLOR'], 0, 'red\n', ''],
  [['ls', '/etc'], 0, 'config\n', ''],
  [['/bin/hostname'], 0, 'web\n', ''],
  [
    ['sh', '-c', 'echo "it is $COLOR"; false && echo no || echo \'$COLOR\''],
    0,
    'it is red\n$COLOR\n',
    '',
  ],
  [['sh', '-c', 'exit 9; echo never'], 9, '', ''],
  [['sh', '-c', 'frobnicate'], 127, '', 'sh: frobnicate: not found\n'],
  [['frobnicate'], undefined, '', ''],
])('runInContainer(%j)', async (command, exitCode, stdout, stderr) => {
  expect(await run(command)).toEqual({ exitCode, stdout, stderr });
});

test('runInContainer() runs the lines that are typed into a shell, until it is left', async () => {
  expect(await run(['sh'], 'echo one\necho two\nexit 5\necho three\n')).toEqual({
    exitCode: 5,
    stdout: 'one\ntwo\n',
    stderr: '',
  });
});
