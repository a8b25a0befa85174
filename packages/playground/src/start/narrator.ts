import type { Clock } from '@liqo/kube';

export interface Output {
  write(text: string): unknown;
  /** Whether a person reads it: then there may be colours, and lines that change. */
  readonly isTerminal: boolean;
}

const eraseLine = '\r\u001b[2K';
const colours = { green: 32, red: 31, dim: 2, bold: 1 } as const;
const durationColumn = 72;

/** Tells a story line by line: what is done, and how long that took. */
export class Narrator {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #hasColours: boolean;

  constructor(output: Output, clock: Clock, env: Readonly<Record<string, string | undefined>>) {
    this.#output = output;
    this.#clock = clock;
    this.#hasColours = output.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  say(text = ''): void {
    this.#output.write(`${text}\n`);
  }

  paint(colour: keyof typeof colours, text: string): string {
    return this.#hasColours ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
  }

  /** A step that fails leaves no line: whoever catches the error tells of it. */
  async step<T>(words: { name: string; done: string }, work: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    this.#show(`  … ${words.name}`);
    try {
      const result = await work();
      const duration = formatSeconds(this.#clock.monotonicMs() - startedMs);
      const line = words.done.padEnd(durationColumn);
      this.#show('');
      this.say(`  ${this.paint('green', '✔')} ${line} ${this.paint('dim', duration)}`);
      return result;
    } catch (error) {
      this.#show('');
      throw error;
    }
  }

  /** A line that the next one takes the place of. */
  #show(text: string): void {
    if (this.#output.isTerminal) this.#output.write(`${eraseLine}${this.paint('dim', text)}`);
  }
}

/** `0.4 s`, `12.0 s`. */
export function formatSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
