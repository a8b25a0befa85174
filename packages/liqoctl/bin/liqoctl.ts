import { createInterface } from 'node:readline/promises';
import type { Clock } from '@liqo/kube';
import {
  describeOutputFailure,
  Interruption,
  type Output,
  programName,
  runLiqoctl,
} from '../src/index.ts';

/** The machine's time. Its timers keep the process alive: it ends when the command does. */
const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timeout = setTimeout(run, Math.min(delayMs, 2 ** 31 - 1));
    return { cancel: () => clearTimeout(timeout) };
  },
};

const stop = new AbortController();
// Once each: who presses Ctrl-C a second time does not want to hear anything.
for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => stop.abort(new Interruption(exitCode)));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe, as `head` does: it has all that it wants.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(describeOutputFailure(error), () => process.exit(1));
});
process.stderr.on('error', () => undefined);

process.exitCode = await runLiqoctl(process.argv.slice(2), {
  env: process.env,
  program: programName(process.argv[1]),
  clock,
  random: Math.random,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  signal: stop.signal,
  ...(process.stdin.isTTY && { ask }),
});

function outputOf(stream: NodeJS.WriteStream): Output {
  const isTerminal = stream.isTTY === true;
  return { write: (text) => stream.write(text), isTerminal, columns: stream.columns };
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A terminal that is read hands Ctrl-C to whoever reads it, and not to the process.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await terminal.question(question, { signal });
  } catch {
    signal.throwIfAborted();
    // Ctrl-D, which leaves the cursor behind the question, is no answer.
    process.stderr.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}
