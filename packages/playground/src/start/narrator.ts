import type { Clock } from '@liqo/kube';
import { wrapWords } from './wrap-words.ts';

export interface Output {
  write(text: string): unknown;
  /** Whether a person reads it: then there may be colours, and lines that change. */
  readonly isTerminal: boolean;
  /** How wide the terminal is; undefined where there is none. */
  readonly columns?: number | undefined;
}

const eraseLine = '\r\u001b[2K';
const colours = { green: 32, red: 31, dim: 2, bold: 1 } as const;
const widestText = 72;
const narrowestText = 20;
/** What stands around the text of a step: the mark before it, and a duration such as `123.4 s` behind it. */
const aroundText = { mark: 4, duration: 8 };

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

  /** For text that is not to be broken by the terminal. */
  get columns(): number {
    return this.#output.columns || Number.POSITIVE_INFINITY;
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
      this.#show('');
      this.#sayDone(words.done, duration);
      return result;
    } catch (error) {
      this.#show('');
      throw error;
    }
  }

  #sayDone(text: string, duration: string): void {
    const room = this.columns - aroundText.mark - aroundText.duration;
    const width = Math.max(narrowestText, Math.min(widestText, room));
    const lines = wrapWords(text, width);
    const last = (lines.at(-1) ?? '').padEnd(width);
    const texts = [...lines.slice(0, -1), `${last} ${this.paint('dim', duration)}`];
    for (const [nth, line] of texts.entries()) {
      this.say(`  ${nth === 0 ? this.paint('green', '✔') : ' '} ${line}`);
    }
  }

  /** A line that the next one replaces. It must fit: what a terminal wraps is not erased with the line. */
  #show(text: string): void {
    if (!this.#output.isTerminal) return;
    const fitting = text.length < this.columns ? text : `${text.slice(0, this.columns - 2)}…`;
    this.#output.write(`${eraseLine}${this.paint('dim', fitting)}`);
  }
}

/** `0.4 s`, `12.0 s`. */
export function formatSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
