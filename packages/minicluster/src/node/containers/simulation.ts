import { durationToMs, parseDuration } from '@liqo/kube';

/** Annotations with this prefix steer containers whose image nobody registered. */
export const simulationPrefix = 'minicluster.liqo-ts.dev/';

/**
 * What a simulated container does. Each key is an annotation of the pod, for all its containers as
 * `minicluster.liqo-ts.dev/run-for`, or for one as `minicluster.liqo-ts.dev/run-for.<container>`, which wins.
 */
export interface Simulation {
  /** `start-delay`: how long it stays in `ContainerCreating`. */
  readonly startDelayMs: number;
  /** `run-for`: after how long it ends by itself; without it, never (unless `exit-code` is given: then at once). */
  readonly runForMs: number | undefined;
  /** `exit-code`: with which it ends by itself. */
  readonly exitCode: number;
  /** `crash`: `always`, or how many of the first runs end at once with `exit-code` (1 if that is 0). */
  readonly crashes: number;
  /** `log`: what it writes at its start, line by line. */
  readonly log: readonly string[];
  /** `log-every`: how often it writes all that again. */
  readonly logEveryMs: number | undefined;
  /** `ready-after`: how long after its start it is ready. */
  readonly readyAfterMs: number | undefined;
  /** `ready`: `false` while it shall not be; may be changed at any time. */
  readonly ready: boolean;
  /** `stop-after`: how long it takes to stop when told to. */
  readonly stopAfterMs: number;
  /** `image-pull`: `fail` while its image cannot be pulled; may be changed at any time. */
  readonly pullFails: boolean;
}

/** An annotation that means nothing. */
class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

type Annotations = Readonly<Record<string, string>>;

export function readSimulation(
  annotations: Annotations | undefined,
  container: string,
): Simulation {
  const read = <T>(key: string, parse: (text: string) => T): T | undefined => {
    const specific = annotations?.[`${simulationPrefix}${key}.${container}`];
    const text = specific ?? annotations?.[`${simulationPrefix}${key}`];
    return text === undefined ? undefined : parsed(key, text, parse);
  };
  const exitCode = read('exit-code', parseExitCode);
  return {
    startDelayMs: read('start-delay', parseMs) ?? 0,
    runForMs: read('run-for', parseMs) ?? (exitCode === undefined ? undefined : 0),
    exitCode: exitCode ?? 0,
    crashes: read('crash', parseCrashes) ?? 0,
    log: read('log', (text) => text.replace(/\n$/, '').split('\n')) ?? [],
    logEveryMs: read('log-every', parseInterval),
    readyAfterMs: read('ready-after', parseMs),
    ready: read('ready', parseBoolean) ?? true,
    stopAfterMs: read('stop-after', parseMs) ?? 0,
    pullFails: read('image-pull', parsePull) ?? false,
  };
}

function parsed<T>(key: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    const fact = error instanceof Error ? error.message : String(error);
    const message = `Cannot use annotation "${simulationPrefix}${key}": ${fact}`;
    throw new SimulationError(message, { cause: error });
  }
}

function parseExitCode(text: string): number {
  const code = Number(text);
  if (/^\d+$/.test(text) && code <= 255) return code;
  throw new Error(`"${text}" is not a number from 0 to 255`);
}

function parseCrashes(text: string): number {
  if (text === 'always') return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`"${text}" is neither "always" nor a number of runs`);
}

function parseMs(text: string): number {
  const ms = durationToMs(parseDuration(text));
  if (ms >= 0) return ms;
  throw new Error(`"${text}" is less than nothing`);
}

function parseInterval(text: string): number {
  const ms = parseMs(text);
  if (ms > 0) return ms;
  throw new Error(`"${text}" is not longer than nothing`);
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`"${text}" is neither "true" nor "false"`);
}

function parsePull(text: string): boolean {
  if (text === 'fail' || text === 'ok') return text === 'fail';
  throw new Error(`"${text}" is neither "fail" nor "ok"`);
}
