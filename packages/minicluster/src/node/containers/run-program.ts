import {
  type CommandResult,
  type ContainerProcess,
  type Exit,
  killed,
  type LaunchSpec,
  maxOutputLength,
} from './container-process.ts';
import type { ProgramContext } from './image-registry.ts';

type Run = (context: ProgramContext) => Promise<number>;

/** Runs a container as a function of this process. One that does not heed its signal is left to itself when killed. */
export function runProgram(
  program: { readonly run: Run; readonly exec?: Run },
  launch: LaunchSpec,
): ContainerProcess {
  const stop = new AbortController();
  let kill = () => {};
  const death = new Promise<Exit>((resolve) => {
    kill = () => resolve(killed);
  });
  const life = live(program.run, launch, stop.signal);
  const { exec } = program;
  return {
    exited: Promise.race([life, death]),
    terminate: () => stop.abort(),
    kill: () => {
      stop.abort();
      kill();
    },
    ...(exec && { exec: (command, signal) => execute(exec, launch, command, signal) }),
  };
}

async function live(
  program: Run,
  { args, env, files, log, pod }: LaunchSpec,
  signal: AbortSignal,
): Promise<Exit> {
  const stdout = { write: (chunk: string | Uint8Array) => log.write('stdout', chunk) };
  const stderr = { write: (chunk: string | Uint8Array) => log.write('stderr', chunk) };
  try {
    return { exitCode: await program({ args, env, files, stdout, stderr, signal, pod }) };
  } catch (error) {
    if (signal.aborted) return { exitCode: 143 };
    stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return { exitCode: 1 };
  }
}

/** What the function throws, the command could not be run for. */
async function execute(
  exec: Run,
  { env, files, pod }: LaunchSpec,
  command: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  let output = '';
  const stream = {
    write: (chunk: string | Uint8Array) => {
      output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    },
  };
  const context = { args: command, env, files, stdout: stream, stderr: stream, signal, pod };
  const exitCode = await Promise.race([exec(context), killedBy(signal)]);
  return { exitCode, output: output.slice(0, maxOutputLength) };
}

function killedBy(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(killed.exitCode), { once: true });
  });
}
