import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { packTar, unpackTar } from './tar-archive.ts';
import { runInContainer } from './tiny-shell.ts';

async function run(
  command: readonly string[],
  typed: string | Uint8Array = '',
  isTerminal = false,
) {
  let [stdout, stderr] = ['', ''];
  const written = new Map<string, string>();
  const exitCode = await runInContainer(command, {
    env: { COLOR: 'red', HOSTNAME: 'web' },
    files: new Map([['/etc/config/a', 'content\n']]),
    writeFile: (path, bytes) => {
      written.set(path, Buffer.from(bytes).toString());
    },
    isTerminal,
    stdin: (async function* () {
      if (typed.length > 0) yield Buffer.from(typed as string);
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
  return { exitCode, stdout, stderr, written };
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
  expect(await run(command)).toMatchObject({ exitCode, stdout, stderr });
});

test('runInContainer() runs the lines that are typed into a shell, until it is left', async () => {
  expect(await run(['sh'], 'echo one\necho two\nexit 5\necho three\n')).toMatchObject({
    exitCode: 5,
    stdout: 'one\ntwo\n',
    stderr: '',
  });
});

test('runInContainer() asks for every line where a person types', async () => {
  const { stdout, exitCode } = await run(['sh'], 'echo one\nexit 5\n', true);
  expect({ stdout, exitCode }).toEqual({ stdout: '# one\n# ', exitCode: 5 });
});

test('runInContainer() packs files for "tar cf -", and says what is missing', async () => {
  const { stdout, stderr, exitCode } = await run(['tar', 'cf', '-', 'etc', '/absent']);
  const bytes = Buffer.from('content\n');
  expect(unpackTar(Buffer.from(stdout))).toEqual([{ path: 'etc/config/a', bytes }]);
  expect(stderr).toBe('tar: /absent: Cannot stat: No such file or directory\n');
  expect(exitCode).toBe(2);
});

test('runInContainer() unpacks files for "tar xf -"', async () => {
  const archive = packTar([{ path: 'b/c', bytes: Buffer.from('new') }]);
  const { written } = await run(['tar', '-xmf', '-', '-C', '/tmp'], archive);
  expect([...written]).toEqual([['/tmp/b/c', 'new']]);
});

test.each([
  ['-d', '/etc/config', 0],
  ['-d', '/etc/config/a', 1],
  ['-f', '/etc/config/a', 0],
  ['-e', '/absent', 1],
  ['-d', '/tmp', 0],
  ['-z', '/tmp', 2],
])('runInContainer() tests %s %s', async (flag, path, exitCode) => {
  expect((await run(['test', flag, path])).exitCode).toBe(exitCode);
});
