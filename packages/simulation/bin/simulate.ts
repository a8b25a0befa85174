/**
 * `npm run simulate [-- --seeds 2000 --from 1 --workers 1]`: plays random stories in simulated worlds and looks whether
 * everything is as it must be. Ends with 1 when something is not, with 2 when the flags make no sense. Runs bundled, beside
 * its bundled worker: a fifth faster than from the sources.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Timer } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { describeVerdict, type Verdict } from '../src/random/judge-seed.ts';
import { Progress } from '../src/random/progress.ts';
import {
  OptionsError,
  parseSimulateOptions,
  type SimulateOptions,
} from '../src/random/simulate-options.ts';
import type { SweepOrder } from './sweep-worker.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  let options: SimulateOptions;
  try {
    options = parseSimulateOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  return options.sweep ? sweep(options) : simulate(options);
}

async function simulate({ seeds, from, workers }: SimulateOptions): Promise<number> {
  const progress = new Progress(systemClock, seeds);
  let next = from;
  const takeSeed = () => (next < from + seeds ? next++ : undefined);
  const heed = (verdict: Verdict) => {
    const line = progress.note(verdict);
    if (verdict.wrongs.length > 0) say(describeVerdict(verdict));
    if (line !== undefined) say(line);
  };
  const number = Math.min(workers, seeds);
  await Promise.all(Array.from({ length: number }, () => runWorker(takeSeed, heed)));
  say(progress.summary());
  return progress.hasFailures ? 1 : 0;
}

async function sweep({ workers, whole, story }: SimulateOptions): Promise<number> {
  let tried = 0;
  const failures: string[] = [];
  const heed = (message: SweepMessage) => {
    if ('failure' in message) return failures.push(message.failure);
    const { what, isGood } = message;
    tried += 1;
    if (!isGood || tried % 50 === 0) say(`${tried} tried, ${what}: ${isGood ? 'good' : 'BAD'}`);
  };
  const parts = Array.from({ length: workers }, (_, index) => ({
    index,
    of: workers,
    isWhole: whole,
    ...(story !== undefined && { story }),
  }));
  await Promise.all(parts.map((part) => sweepPart(part, heed)));
  for (const failure of failures) say(failure);
  say(`${tried} deaths and disturbances, ${failures.length} failures`);
  return failures.length > 0 ? 1 : 0;
}

type SweepMessage =
  | { readonly what: string; readonly isGood: boolean }
  | { readonly failure: string };

function sweepPart(part: SweepOrder, heed: (message: SweepMessage) => void): Promise<void> {
  const worker = startWorker('sweep-worker.mjs');
  worker.on('message', heed);
  worker.send(part);
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code, signal) => {
      if (code === 0) return resolve();
      reject(new Error(`Cannot finish the sweep: a worker ended with ${code ?? signal}`));
    });
  });
}

/** A story that takes longer does not end: most take a fraction of a second, and a failure some more until it is short. */
const longestMs = 300_000;

/** One seed after the other, until there are none left. A seed that does not end is given up, with its worker. */
function runWorker(
  takeSeed: () => number | undefined,
  heed: (verdict: Verdict) => void,
): Promise<void> {
  const worker = startWorker('simulate-worker.mjs');
  return new Promise((resolve, reject) => {
    let patience: Timer | undefined;
    let playing: number | undefined;
    let isGivenUp = false;
    const giveUp = () => {
      isGivenUp = true;
      worker.kill('SIGKILL');
    };
    const give = () => {
      playing = takeSeed();
      if (playing === undefined) return worker.disconnect();
      patience = systemClock.after(longestMs, giveUp);
      worker.send(playing);
    };
    worker.on('message', (message: Verdict | 'ready') => {
      patience?.cancel();
      if (message !== 'ready') heed(message);
      give();
    });
    worker.once('error', reject);
    worker.once('exit', (code, signal) => {
      patience?.cancel();
      if (code === 0) return resolve();
      const ending = `its worker ended with ${code ?? signal}`;
      if (playing === undefined) return reject(new Error(`Cannot play any seed: ${ending}`));
      const endless = `it has not ended within ${longestMs / 60_000} minutes`;
      heed({ seed: playing, wrongs: [isGivenUp ? endless : ending], simulatedMs: 0, calls: 0 });
      resolve(runWorker(takeSeed, heed));
    });
  });
}

const workerFlags = [
  // It runs so much code that finding its pages is a good part of the work: large pages, where there are any.
  '--use-largepages=silent',
  // Worlds are short-lived: several fit into the young generation, and few of them are there when it is cleaned up.
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--no-minor-gc-task',
  // A story is a little of very much code, most of which is not hot for a long time, and what is compiled in pieces is
  // compiled sooner.
  '--always-sparkplug',
  '--max-inlined-bytecode-size-cumulative=400',
  // The next world has objects of the same shapes, and runs the same code.
  '--retain-maps-for-n-gc=1000',
  '--no-flush-bytecode',
];

function startWorker(program: string): ChildProcess {
  const execArgv = [...process.execArgv, ...workerFlags];
  const worker = fork(fileURLToPath(new URL(program, import.meta.url)), { execArgv });
  // It may be too busy to notice that nobody listens any more.
  const end = () => worker.kill('SIGKILL');
  process.once('exit', end);
  worker.once('exit', () => process.off('exit', end));
  return worker;
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await main();
