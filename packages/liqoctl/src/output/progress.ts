import type { Clock } from '@liqo/kube';
import type { Where } from '../explain.ts';
import type { Output } from '../surroundings.ts';
import { formatElapsed } from './format-elapsed.ts';
import { oneParagraph } from './one-paragraph.ts';
import type { Paint } from './paint.ts';

/** The words for a piece of long work. */
export interface Step<T> {
  /** Of a command that talks to two clusters: the one where it is done. */
  readonly where?: Where;
  /** While it goes on: `Waiting for the Node "mynode"`. */
  readonly doing: string;
  /** When it is done: `Node "mynode" is Ready`. A function words the result; undefined prints no line. */
  readonly done: string | ((result: T) => string | undefined);
}

/** What there is to say if the command ends before its time. */
export interface Leftover {
  readonly what: string;
  readonly hint: string;
}

/** Told what a command does, step by step. */
export interface StepReport {
  step<T>(step: Step<T>, work: (tell: (detail: string) => void) => Promise<T>): Promise<T>;
  leaves(leftover: Leftover): void;
  note(text: string): void;
  warn(text: string): void;
}

interface ProgressOptions {
  readonly stderr: Output;
  readonly clock: Clock;
  readonly paint: Paint;
}

const redrawMs = 100;
const eraseLine = '\r\u001b[2K';
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/**
 * Tells how work goes on: a line for each step with its duration, and on a terminal a line for the one under way. A step
 * that fails says nothing: the error does. It remembers what would be left if the command were ended now.
 */
export class Progress implements StepReport {
  readonly #options: ProgressOptions;
  #doing: string | undefined;
  #leftover: Leftover | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** What is under way, to be said by whoever ends it. */
  get doing(): string | undefined {
    return this.#doing;
  }

  get leftover(): Leftover | undefined {
    return this.#leftover;
  }

  /** From now on this is what a command that ends early leaves behind. */
  leaves(leftover: Leftover): void {
    this.#leftover = leftover;
  }

  async step<T>(step: Step<T>, work: (tell: (detail: string) => void) => Promise<T>): Promise<T> {
    const { clock, paint } = this.#options;
    const startedMs = clock.monotonicMs();
    this.#doing = step.doing;
    const tag = step.where ? `(${step.where}) ` : '';
    using line = this.#showRunning(`${tag}${step.doing}`, startedMs);
    const result = await work((detail) => line.tell(detail));
    line[Symbol.dispose]();
    const elapsed = formatElapsed(clock.monotonicMs() - startedMs);
    const done = typeof step.done === 'function' ? step.done(result) : step.done;
    if (done !== undefined) {
      this.#say(`${paint('green', '✔')} ${tag}${done} ${paint('dim', `(${elapsed})`)}`);
    }
    this.#doing = undefined;
    return result;
  }

  warn(text: string): void {
    this.#say(`${this.#options.paint('yellow', '!')} ${oneParagraph(text)}`);
  }

  note(text: string): void {
    this.#say(oneParagraph(text));
  }

  #say(line: string): void {
    this.#options.stderr.write(`${line}\n`);
  }

  #showRunning(doing: string, startedMs: number): RunningLine {
    const { stderr } = this.#options;
    return stderr.isTerminal ? this.#animate(doing, startedMs) : this.#report();
  }

  /** Where nothing can be overdrawn, only news is worth a line. */
  #report(): RunningLine {
    let last = '';
    const tell = (detail: string) => {
      if (detail !== last) this.#say(`  ${oneParagraph(detail)}`);
      last = detail;
    };
    return { tell, [Symbol.dispose]: () => undefined };
  }

  #animate(doing: string, startedMs: number): RunningLine {
    const { clock, stderr, paint } = this.#options;
    let detail = '';
    const draw = () => {
      const elapsedMs = clock.monotonicMs() - startedMs;
      const frame = frames[Math.floor(elapsedMs / redrawMs) % frames.length] ?? '';
      const text = `${doing} (${formatElapsed(elapsedMs)})${detail && `: ${detail}`}`;
      const fitting = text.slice(0, Math.max(10, (stderr.columns || 80) - 3));
      stderr.write(`${eraseLine}${paint('dim', `${frame} ${fitting}`)}`);
      timer = clock.after(redrawMs, draw);
    };
    let timer = clock.after(redrawMs, draw);
    let isShown = true;
    return {
      tell: (text) => {
        detail = oneParagraph(text);
      },
      [Symbol.dispose]: () => {
        timer.cancel();
        if (isShown) stderr.write(eraseLine);
        isShown = false;
      },
    };
  }
}

interface RunningLine extends Disposable {
  readonly tell: (detail: string) => void;
}
