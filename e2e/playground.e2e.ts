import { afterAll, expect, test } from 'vitest';
import { NpmStart } from './playground/npm-start.ts';
import { repeatedStarts } from './playground/repeated-starts.ts';

repeatedStarts(3);

const npm = new NpmStart();
afterAll(() => npm[Symbol.dispose]());

test('npm start -- --once --kubernetes real gives the tour on real clusters, and leaves nothing', async () => {
  const { stdout, ...ended } = await npm.run(['--once', '--kubernetes', 'real']);
  expect(ended).toEqual({ code: 0, stderr: '', left: [] });
  expect(stdout).toContain('The 3 pods of "web" are Running at milan');
  expect(stdout).toContain('Everything is removed');
}, 600_000);

test.each([
  ['an unknown flag', ['--onec'], {}, 2, /unknown flag "--onec"/],
  ['flags that npm kept to itself', [], { npm_config_once: 'true' }, 2, /npm start -- --once/],
  ['a TMPDIR that is no folder', ['--once'], { TMPDIR: '/dev/null' }, 1, /export TMPDIR=/],
  ['a TMPDIR that is not there', ['--once'], { TMPDIR: '/nonexistent' }, 1, /export TMPDIR=/],
  ['a TMPDIR nobody may write to', ['--once'], { TMPDIR: '/proc' }, 1, /export TMPDIR=/],
  [
    'real clusters without their programs',
    ['--kubernetes', 'real', '--once'],
    { KUBEBUILDER_ASSETS: '/nonexistent' },
    1,
    /leave out --kubernetes real/,
  ],
] as const)(
  'npm start refuses %s, and leaves nothing',
  async (_, args, variables, code, says) => {
    const { stderr, ...ended } = await npm.run(args, { variables });
    expect(ended).toEqual({ code, stdout: '', left: [] });
    expect(stderr).toMatch(/^✖ Cannot [^\n]+\. [A-Z][^\n]+\n$/);
    expect(stderr).not.toMatch(/\n\s+at |undefined|\[object|node:|Error:/);
    expect(stderr).toMatch(says);
  },
  120_000,
);
