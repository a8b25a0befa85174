import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

export interface TerminalOptions {
  readonly cwd: string;
  /** For what is typed and what is answered. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Answer {
  readonly code: number;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

/** A shell that somebody types into: what is exported, or goes on behind, is there for the next command. */
export class Terminal implements AsyncDisposable {
  readonly #folder: string;
  readonly #shell: ChildProcess;
  readonly #codes: AsyncIterator<string>;
  readonly #lines: Interface;
  #count = 0;

  constructor({ cwd, folder, env }: TerminalOptions) {
    this.#folder = folder;
    const shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#lines = createInterface({ input: shell.stdout });
    this.#codes = this.#lines[Symbol.asyncIterator]();
    this.#shell = shell;
    // Whatever is started behind has a group of its own, as in a terminal, and heeds Ctrl-C.
    this.#type('set -m; shopt -s expand_aliases');
  }

  /** Nothing is there to be read: a command that asks gets no answer. */
  async run(command: string): Promise<Answer> {
    const { typed, answered } = this.#files(command);
    this.#type(`. ${typed} </dev/null >${answered} 2>&1; echo $?`);
    return { code: Number(await this.#answer()), output: readFileSync(answered, 'utf8') };
  }

  /** Starts something that goes on. `stop` presses Ctrl-C, and resolves with all that it said when it has ended. */
  async start(command: string): Promise<Running> {
    const { typed, answered } = this.#files(command);
    this.#type(`(. ${typed}) </dev/null >${answered} 2>&1 & echo $!`);
    const group = Number(await this.#answer());
    return {
      output: () => readFileSync(answered, 'utf8'),
      stop: async () => {
        this.#type(`kill -INT -- -${group}; wait ${group}; echo $?`);
        return { code: Number(await this.#answer()), output: readFileSync(answered, 'utf8') };
      },
    };
  }

  /** Closed, with whatever it runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#shell.exitCode !== null) return;
    const ended = once(this.#shell, 'exit');
    this.#type('kill -HUP $(jobs -p) 2>/dev/null; exit');
    await ended;
    this.#lines.close();
  }

  #files(command: string): { readonly typed: string; readonly answered: string } {
    this.#count += 1;
    const typed = join(this.#folder, `${this.#count}.sh`);
    const answered = join(this.#folder, `${this.#count}.out`);
    writeFileSync(typed, `${command}\n`);
    writeFileSync(answered, '');
    return { typed, answered };
  }

  #type(line: string): void {
    this.#shell.stdin?.write(`${line}\n`);
  }

  async #answer(): Promise<string> {
    const { value, done } = await this.#codes.next();
    if (done) throw new Error('Cannot go on: the shell has ended');
    return value;
  }
}

/** Something that goes on until Ctrl-C. */
export interface Running {
  /** What it has said so far. */
  output(): string;
  stop(): Promise<Answer>;
}
