import { type ContainerProcess, type Exit, killed, type LaunchSpec } from './container-process.ts';
import type { ProgramContext } from './image-registry.ts';

/** Runs a container as a function of this process. One that does not heed its signal is left to itself when killed. */
export function runProgram(
  program: (context: ProgramContext) => Promise<number>,
  launch: LaunchSpec,
): ContainerProcess {
  const stop = new AbortController();
  let kill = () => {};
  const death = new Promise<Exit>((resolve) => {
    kill = () => resolve(killed);
  });
  const life = live(program, launch, stop.signal);
  return {
    exited: Promise.race([life, death]),
    terminate: () => stop.abort(),
    kill: () => {
      stop.abort();
      kill();
    },
  };
}

async function live(
  program: (context: ProgramContext) => Promise<number>,
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
