import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { commands } from './commands.ts';
import { runHere } from './testing/run-here.ts';

test.each([[[]], [['help']], [['--help']], [['-h']]])(
  'liqoctl %j lists the commands',
  async (args) => {
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { path, summary } of commands) {
      expect(stdout).toMatch(new RegExp(`^  ${path.join(' ')} +${summary}$`, 'm'));
    }
  },
);

test.each([[['create', '--help']], [['help', 'create']]])(
  'liqoctl %j lists those',
  async (args) => {
    const { code, stdout } = await runHere(args);
    expect(code).toBe(0);
    expect(stdout).toContain('create virtualnode');
    expect(stdout).not.toContain('offload');
  },
);

test.each(commands)(
  'liqoctl $path --help says how it is used, whatever else is said',
  async ({ path, flags, examples }) => {
    const { code, stdout, stderr } = await runHere([...path, '--nonsense', '-h']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^liqoctl ${path.join(' ')} .*\\[flags\\]\n`));
    for (const name of Object.keys(flags))
      expect(stdout).toMatch(new RegExp(`^ .*--${name}\\b`, 'm'));
    for (const example of examples) expect(stdout).toContain(example);
    expect(await runHere(['help', ...path])).toEqual({ code, stdout, stderr });
  },
);

test('liqoctl version tells its own even if there is no cluster, and fails', async () => {
  const { code, stdout, stderr } = await runHere(['version']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: `Client version: ${manifest.version}\n` });
  expect(stderr).toMatch(/^✖ Cannot choose a cluster: .*\n {2}\S.*\n$/);
  expect(await runHere(['version', '--client'])).toEqual({ code: 0, stdout, stderr: '' });
  expect(await runHere(['--version'])).toEqual({ code: 0, stdout, stderr: '' });
});

test('liqoctl completion prints the script of a shell', async () => {
  expect(await runHere(['completion', 'bash'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('complete -o default -F _liqoctl liqoctl'),
  });
});

test.each([
  [{}, '\u001b[31m✖\u001b[0m'],
  [{ NO_COLOR: '1' }, '✖'],
])('liqoctl with %j has colours on a terminal only if they are wanted', async (env, mark) => {
  const { stderr } = await runHere(['frobnicate'], { env, isTerminal: true });
  expect(stderr.startsWith(`${mark} Cannot`)).toBe(true);
});
