import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../bin/start.ts');
const loader = join(import.meta.dirname, '../../../../load-typescript.mjs');
const timeoutMs = 300_000;

/** `npm start` in a process of its own; a killed one leaves what it had in its TMPDIR. */
function startProcess(args: readonly string[] = [], TMPDIR = tmpdir()) {
  const child = spawn(process.execPath, ['--import', loader, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR },
  });
  const told = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    told.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    told.stderr += chunk;
  });
  return { child, told, closed: once(child, 'close') };
}

type Started = ReturnType<typeof startProcess>;

function hasTold({ told }: Started, moment: string): Promise<void> {
  const expected = { stdout: expect.stringContaining(moment), stderr: '' };
  return eventually(() => expect(told).toEqual(expected), { timeoutMs: timeoutMs / 2 });
}

/** Ctrl-C is pressed, as npm does it, as soon as it has told this. */
async function interruptAt(moment: string) {
  const started = startProcess();
  const { child, told, closed } = started;
  try {
    await hasTold(started, moment);
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(told.stdout)?.[1];
    const mode = kubeconfig && statSync(kubeconfig).mode & 0o777;
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [exitCode] = await closed;
    return { exitCode, ...told, kubeconfig, mode };
  } finally {
    child.kill('SIGKILL');
  }
}

test(
  'npm start ends well on Ctrl-C, and takes its kubeconfigs along',
  async () => {
    const ended = await interruptAt('Ctrl-C removes everything');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '', mode: 0o600 });
    expect(ended.stdout).toMatch(/Everything is removed +\d\.\d s\n$/);
    expect(existsSync(join(ended.kubeconfig ?? '/', '..'))).toBe(false);
  },
  timeoutMs,
);

test(
  'npm start can be interrupted in the middle of the tour',
  async () => {
    const ended = await interruptAt('Kubernetes with one node each');
    expect(ended).toMatchObject({ exitCode: 130, stderr: 'Interrupted; nothing is left\n' });
  },
  timeoutMs,
);

test(
  'npm start with --dir refuses the folder of a running playground, and takes it over once that is killed',
  async () => {
    const base = mkdtempSync(join(tmpdir(), 'start-process-'));
    const dir = join(base, 'k');
    const first = startProcess(['--dir', dir], base);
    try {
      await hasTold(first, 'Ctrl-C removes everything');
      const second = startProcess(['--once', '--dir', dir]);
      const [refused] = await second.closed;
      expect({ refused, ...second.told }).toEqual({
        refused: 1,
        stdout: '',
        stderr: `✖ Cannot use the folder "${dir}": the playground with process id ${first.child.pid} uses it. Choose another folder with --dir, or end that playground: kill ${first.child.pid}\n`,
      });
      first.child.kill('SIGKILL');
      await first.closed;
      expect(readdirSync(dir).toSorted()).toEqual(['milan.kubeconfig', 'rome.kubeconfig']);
      const third = startProcess(['--once', '--dir', dir]);
      const [exitCode] = await third.closed;
      expect({ exitCode, stderr: third.told.stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(readdirSync(dir)).toEqual([]);
    } finally {
      first.child.kill('SIGKILL');
      rmSync(base, { recursive: true, force: true });
    }
  },
  timeoutMs,
);
