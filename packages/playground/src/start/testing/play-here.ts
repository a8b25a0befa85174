import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { embeddedKubernetes } from '../../embedded-kubernetes.ts';
import { runStart, type StartSurroundings } from '../run-start.ts';
import { CountingClock } from './counting-clock.ts';

export interface PlayOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Shows each step while it goes on, too. */
  readonly isTerminal?: boolean;
  /** Sees everything that is told so far; Ctrl-C is pressed when it says so. */
  readonly interruptWhen?: (told: string) => boolean;
  readonly provide?: StartSurroundings['provide'];
  /** Whether kubectl is on the PATH. */
  readonly hasKubectl?: boolean;
  /** How wide the terminal is. */
  readonly columns?: number;
}

export interface Played {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Timers that are still to come. */
  readonly timers: number;
  /** What is left in the folder for the kubeconfigs. */
  readonly files: readonly string[];
}

/** `npm start` in this process. */
export async function playHere(
  args: readonly string[],
  options: PlayOptions = {},
): Promise<Played> {
  const { interruptWhen = () => false, isTerminal = false, hasKubectl = true } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'play-'));
  const programs = await mkdtemp(join(tmpdir(), 'play-programs-'));
  if (hasKubectl) await writeFile(join(programs, 'kubectl'), '', { mode: 0o755 });
  const clock = new CountingClock();
  const stop = new AbortController();
  const told = { stdout: '', stderr: '' };
  const output = (name: keyof typeof told) => ({
    isTerminal,
    columns: options.columns,
    write: (text: string) => {
      told[name] += text;
      if (interruptWhen(told.stdout)) stop.abort();
    },
  });
  const exitCode = await runStart(args, {
    env: { PATH: programs, ...options.env },
    clock,
    startedMs: clock.monotonicMs(),
    stdout: output('stdout'),
    stderr: output('stderr'),
    signal: stop.signal,
    provide: async (_, use) => use(await embeddedKubernetes({ clock, random: systemRandom })),
    builtKubectl: async () => '/cache/kubernetes/kubectl',
    makeScratch: () => scratch,
    atExit: () => undefined,
    ...(options.provide && { provide: options.provide }),
  });
  const files = await readdir(scratch);
  for (const folder of [scratch, programs]) await rm(folder, { recursive: true });
  return { exitCode, ...told, timers: await timersLeft(clock), files };
}

/** On a busy machine the last of them may be cancelled a moment later; one that is forgotten stays. */
async function timersLeft(clock: CountingClock): Promise<number> {
  const look = () => {
    if (clock.pending > 0) throw new Error(`${clock.pending} timers are still to come`);
  };
  await eventually(look, { timeoutMs: 10_000 }).catch(() => undefined);
  return clock.pending;
}
