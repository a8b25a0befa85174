import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '../..');

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

/** Runs `npm start`, with a temporary folder of its own, and lists what it leaves behind. */
export class NpmStart implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'playground-'));

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** In a terminal of its own; presses Ctrl-C as soon as the output has the moment, if one is given. */
  async run(
    args: readonly string[],
    { moment, variables = {} }: StartOptions = {},
  ): Promise<Ended> {
    const words = ['start', '--silent', '--', ...args];
    const env = { ...process.env, TMPDIR: this.#folder, ...variables };
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
    return { code: code ?? signal, ...told, left: await this.#leftovers(group) };
  }

  /** What is still there half a minute later; a process that has ended may take a moment to be gone. */
  async #leftovers(group: number): Promise<readonly string[]> {
    const look = () => [...processesOf(group), ...this.#files()];
    const patience = { timeoutMs: 30_000 };
    await eventually(() => expect(look()).toEqual([]), patience).catch(() => undefined);
    return look();
  }

  /** Except for the cache of tsx. */
  #files(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => !name.startsWith('tsx-'));
  }
}

/** The command lines of the processes of a group. */
function processesOf(group: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
        // A zombie has ended.
        if (state === 'Z' || Number(pgrp) !== group) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // It ended while it was looked at.
        return [];
      }
    });
}
