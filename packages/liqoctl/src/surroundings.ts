import type { Clock, Random } from '@liqo/kube';
import type { ProgramName } from './program-name.ts';

/** Where text goes. */
export interface Output {
  write(text: string): unknown;
  /** Whether a person reads it: then there may be colours, and lines that change. */
  readonly isTerminal: boolean;
  /** How many characters fit a line of the terminal; 0 if it does not say. */
  readonly columns?: number | undefined;
}

/** What liqoctl finds around it: a process of its own, or a test. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the commands that are suggested. */
  readonly program?: ProgramName;
  readonly clock: Clock;
  readonly random: Random;
  /** For data, and nothing else. */
  readonly stdout: Output;
  /** For everything that is said to a person. */
  readonly stderr: Output;
  /** Aborts when the command is to end at once; its reason is an `Interruption`. */
  readonly signal: AbortSignal;
  /** Asks the person at the terminal; absent if there is none. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>;
}

/** Ctrl-C, or whatever else ends a process politely. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** 128 and the number of the signal, as shells have it. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Interrupted');
    this.exitCode = exitCode;
  }
}
