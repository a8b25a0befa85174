import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../bin/start.ts');
const loader = join(import.meta.dirname, '../../../../load-typescript.mjs');
const timeoutMs = 300_000;

/** `npm start` in a process of its own; Ctrl-C is pressed, as npm does it, as soon as it has told this. */
async function interruptAt(moment: string) {
  const child = spawn(process.execPath, ['--import', loader, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    told.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    told.stderr += chunk;
  });
  try {
    const expected = { stdout: expect.stringContaining(moment), stderr: '' };
    await eventually(() => expect(told).toEqual(expected), { timeoutMs: timeoutMs / 2 });
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(told.stdout)?.[1];
    const mode = kubeconfig && statSync(kubeconfig).mode & 0o777;
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [exitCode] = await once(child, 'close');
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
