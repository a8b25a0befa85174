import { systemClock, systemRandom } from '@liqo/runtime';
import { runLiqoctl } from '../run-liqoctl.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs liqoctl in this process, piped, and with an environment that leads to no cluster unless it says so. */
export async function runHere(
  args: readonly string[],
  options: Partial<Surroundings> & { readonly isTerminal?: boolean } = {},
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const isTerminal = options.isTerminal ?? false;
  const code = await runLiqoctl(args, {
    clock: systemClock,
    random: systemRandom,
    signal: new AbortController().signal,
    stdout: { write: (text) => (written.stdout += text), isTerminal },
    stderr: { write: (text) => (written.stderr += text), isTerminal },
    ...options,
    env: { HOME: '/nonexistent', ...options.env },
  });
  return { code, ...written };
}

/** The outcome of a command that has to succeed: what it says instead is the failure of the test. */
export async function successful(running: Promise<Outcome>): Promise<Outcome> {
  const outcome = await running;
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return outcome;
}
