import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import type { ContainerProcess, Exit, LaunchSpec } from './container-process.ts';

/** Runs a container as a process of this machine, with its files in a folder that goes when it does. */
export function runCommand(
  command: readonly [string, ...string[]],
  launch: LaunchSpec,
): ContainerProcess {
  const root = mkdtempSync(join(tmpdir(), 'minicluster-container-'));
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  const start = async () => {
    await writeFiles(root, launch.files);
    if (stop.signal.aborted) return { exitCode: 143 };
    child = startChild(command, launch, root);
    return exitOf(child, launch);
  };
  const send = (signal: 'SIGKILL' | 'SIGTERM') => {
    stop.abort();
    child?.kill(signal);
  };
  const exited = start()
    .catch((error: unknown) => failedStart(error, launch))
    .finally(() => rmSync(root, { recursive: true, force: true }));
  return { exited, terminate: () => send('SIGTERM'), kill: () => send('SIGKILL') };
}

async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, content] of files) {
    const target = join(root, normalize(join('/', path)));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode: 0o600 });
  }
}

function startChild(
  [file, ...first]: readonly [string, ...string[]],
  { args, env, log }: LaunchSpec,
  root: string,
): ChildProcess {
  const { PATH = '' } = process.env;
  const child = spawn(file, [...first, ...args], {
    cwd: root,
    env: { PATH, ...env, MINICLUSTER_ROOT: root },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Uint8Array) => log.write('stdout', chunk));
  child.stderr.on('data', (chunk: Uint8Array) => log.write('stderr', chunk));
  return child;
}

/** Waits for the output too: `close` comes after the last of it. */
function exitOf(child: ChildProcess, launch: LaunchSpec): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(failedStart(error, launch)));
    child.once('close', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0) });
    });
  });
}

/** As a shell tells of a program that cannot be run. */
function failedStart(error: unknown, { log }: LaunchSpec): Exit {
  log.write('stderr', `${error instanceof Error ? error.message : String(error)}\n`);
  return { exitCode: 127 };
}
