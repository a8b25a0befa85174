import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import {
  type CommandResult,
  type ContainerProcess,
  type Exit,
  type LaunchSpec,
  maxOutputLength,
} from './container-process.ts';
import { ContainerRoot } from './container-root.ts';

/** Runs a container as a process of this machine, with its files in a folder that goes when it does. */
export function runCommand(
  command: readonly [string, ...string[]],
  launch: LaunchSpec,
): ContainerProcess {
  const root = new ContainerRoot();
  let child: ChildProcess | undefined;
  const start = async () => {
    root.write(launch.files);
    child = startChild(command, launch, root.path);
    return exitOf(child, launch);
  };
  const exited = start()
    .catch((error: unknown) => failedStart(error, launch))
    .finally(() => root[Symbol.dispose]());
  return {
    exited,
    terminate: () => child?.kill('SIGTERM'),
    kill: () => child?.kill('SIGKILL'),
    exec: (words, signal) => runBeside(words, launch, root.path, signal),
    refresh: async (files) => root.replace(launch.files, files),
  };
}

function startChild(
  [file, ...first]: readonly [string, ...string[]],
  { args, env, log }: LaunchSpec,
  root: string,
): ChildProcess {
  const child = spawnIn(root, env, [file, ...first, ...args]);
  child.stdout.on('data', (chunk: Uint8Array) => log.write('stdout', chunk));
  child.stderr.on('data', (chunk: Uint8Array) => log.write('stderr', chunk));
  return child;
}

function spawnIn(root: string, env: LaunchSpec['env'], [file = '', ...args]: readonly string[]) {
  const { PATH = '' } = process.env;
  return spawn(file, args, {
    cwd: root,
    env: { PATH, ...env, MINICLUSTER_ROOT: root },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits for the output too: `close` comes after the last of it. */
function exitOf(child: ChildProcess, launch: LaunchSpec): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(failedStart(error, launch)));
    child.once('close', (code, signal) => resolve({ exitCode: exitCodeOf(code, signal) }));
  });
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/** As a shell tells of a program that cannot be run. */
function failedStart(error: unknown, { log }: LaunchSpec): Exit {
  log.write('stderr', `${error instanceof Error ? error.message : String(error)}\n`);
  return { exitCode: 127 };
}

/** Runs another program where the container runs. */
function runBeside(
  command: readonly string[],
  { env }: LaunchSpec,
  root: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawnIn(root, env, command);
    let output = '';
    const keep = (chunk: Uint8Array) => {
      if (output.length < maxOutputLength) output += Buffer.from(chunk).toString();
    };
    const kill = () => child.kill('SIGKILL');
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    signal.addEventListener('abort', kill, { once: true });
    child.once('error', () => {
      reject(new Error(`exec: "${command[0] ?? ''}": executable file not found in $PATH`));
    });
    child.once('close', (code, killer) => {
      signal.removeEventListener('abort', kill);
      resolve({ exitCode: exitCodeOf(code, killer), output: output.slice(0, maxOutputLength) });
    });
  });
}
