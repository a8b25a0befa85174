import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'playground-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface StartOptions {
  /** When to press Ctrl-C. */
  readonly moment?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

interface Ended {
  /** The exit code of npm, or the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** Processes, and with them their ports and timers; files. */
  readonly left: readonly string[];
}

const starts = 20;

describe(`npm start, ${starts} times in a row`, () => {
  const report = (seconds: readonly number[]) => {
    const sorted = seconds.toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)];
    process.stdout.write(
      `Running over there after ${middle} s in the middle, ${sorted.at(-1)} s at worst\n`,
    );
  };

  test('with --once ends well, and leaves nothing', async () => {
    const seconds: number[] = [];
    for (let i = 0; i < starts; i++) {
      const { stdout, ...ended } = await start(['--once']);
      expect(ended).toEqual({ code: 0, stderr: '', left: [] });
      seconds.push(Number(/All of it runs, (\S+) s/.exec(stdout)?.[1]));
    }
    report(seconds);
  }, 1_200_000);

  test('and Ctrl-C ends well, and leaves nothing', async () => {
    for (let i = 0; i < starts; i++) {
      const { stdout, ...ended } = await start([], { moment: 'Ctrl-C removes everything' });
      // npm gets the key as well, and ends by it once its script has ended by itself.
      expect(ended).toEqual({ code: 'SIGINT', stderr: '', left: [] });
      expect(stdout).toContain('Everything is removed');
    }
  }, 1_200_000);
});

test('npm start -- --once --kubernetes real gives the tour on real clusters, and leaves nothing', async () => {
  const { stdout, ...ended } = await start(['--once', '--kubernetes', 'real']);
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
    const { stderr, ...ended } = await start(args, { variables });
    expect(ended).toEqual({ code, stdout: '', left: [] });
    expect(stderr).toMatch(/^✖ Cannot [^\n]+\. [A-Z][^\n]+\n$/);
    expect(stderr).not.toMatch(/\n\s+at |undefined|\[object|node:|Error:/);
    expect(stderr).toMatch(says);
  },
  120_000,
);

/** `npm start` in a terminal of its own; Ctrl-C is pressed as soon as it has told the moment, if one is given. */
async function start(
  args: readonly string[],
  { moment, variables = {} }: StartOptions = {},
): Promise<Ended> {
  const words = ['start', '--silent', '--', ...args];
  const env = { ...process.env, TMPDIR: folder, ...variables };
  const child = spawn('npm', words, { cwd: root, env, detached: true });
  const group = child.pid ?? 0;
  const told = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (told.stdout += chunk));
  child.stderr.on('data', (chunk) => (told.stderr += chunk));
  const ended = once(child, 'close');
  if (moment !== undefined) {
    const isTold = () => expect(told.stdout).toContain(moment);
    await eventually(isTold, { timeoutMs: 240_000, intervalMs: 50 }).finally(() =>
      process.kill(-group, 'SIGINT'),
    );
  }
  const [code, signal] = await ended;
  return { code: code ?? signal, ...told, left: await leftovers(group) };
}

/** What is still there half a minute later; a process that has ended may take a moment to be gone. */
async function leftovers(group: number): Promise<readonly string[]> {
  const look = () => [...processesOf(group), ...files()];
  await eventually(() => expect(look()).toEqual([]), { timeoutMs: 30_000 }).catch(() => undefined);
  return look();
}

/** But for what tsx keeps for the next time. */
function files(): readonly string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('tsx-'));
}

/** Whoever is still in that group, by their command lines. */
function processesOf(group: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
        // One that nobody has buried yet has ended all the same.
        if (state === 'Z' || Number(pgrp) !== group) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // It ended while it was looked at.
        return [];
      }
    });
}
