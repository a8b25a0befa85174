import { type Clock, sleep } from '@liqo/kube';
import { type ContainerProcess, type Exit, killed, type LaunchSpec } from './container-process.ts';
import type { Simulation } from './simulation.ts';

/** Plays a container: `run` counts its starts from zero. */
export function simulateContainer(
  simulation: Simulation,
  launch: LaunchSpec,
  clock: Clock,
  run: number,
): ContainerProcess {
  const asked = new AbortController();
  const dead = new AbortController();
  const exited = Promise.race([
    endBySelf(simulation, clock, run, asked.signal),
    endWhenAsked(simulation, clock, asked.signal, dead.signal),
  ]).finally(() => {
    asked.abort();
    dead.abort();
  });
  void keepWriting(simulation, launch, clock, asked.signal);
  return {
    exited,
    terminate: () => asked.abort(),
    kill: () => {
      asked.abort();
      dead.abort();
    },
  };
}

async function endBySelf(
  simulation: Simulation,
  clock: Clock,
  run: number,
  asked: AbortSignal,
): Promise<Exit> {
  const { exitCode, runForMs } = simulation;
  if (run < simulation.crashes) return { exitCode: exitCode || 1 };
  const survived = runForMs !== undefined && (await passes(clock, runForMs, asked));
  return survived ? { exitCode } : never();
}

async function endWhenAsked(
  { stopAfterMs }: Simulation,
  clock: Clock,
  asked: AbortSignal,
  dead: AbortSignal,
): Promise<Exit> {
  await aborted(asked);
  return stopAfterMs === 0 || (await passes(clock, stopAfterMs, dead)) ? { exitCode: 0 } : killed;
}

async function keepWriting(
  { log, logEveryMs }: Simulation,
  launch: LaunchSpec,
  clock: Clock,
  asked: AbortSignal,
): Promise<void> {
  const write = () => {
    for (const line of log) launch.log.write('stdout', `${line}\n`);
  };
  write();
  while (logEveryMs !== undefined && (await passes(clock, logEveryMs, asked))) write();
}

/** Whether the time passed before the signal aborted. */
function passes(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(clock, ms, signal).then(
    () => true,
    () => false,
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function never(): Promise<never> {
  return new Promise(() => {});
}
