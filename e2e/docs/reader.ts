import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { elsewhere } from './elsewhere.ts';
import { isQuestion } from './question.ts';
import { readBlocks, readPage } from './read-blocks.ts';
import { readSteps, type Step } from './read-steps.ts';
import { hasShape } from './shape.ts';
import { type Running, Terminal } from './terminal.ts';

export interface ReaderOptions {
  /** For everything that the reader makes. */
  readonly folder: string;
  /** Where kubectl is. */
  readonly programs: string;
  /** How long an answer may take to be the one that is shown: a busy machine is slow, not broken. */
  readonly timeoutMs: number;
}

const root = join(import.meta.dirname, '../..');
const intervalMs = 200;

/** Runs until Ctrl-C, in a terminal of its own. */
const stays = /^npm (start|run clusters)\b(?!.*--once)/;
/** Which script it runs; npm says that to people who did not ask. */
const npmHeader = /^\n(> .*\n)+\n/;

/** How it ends well on Ctrl-C: by itself, or as the shell puts it, which got the key as well. */
const endings = [0, 130];

/** Somebody who follows pages to the letter, with two terminals. Disposed, nothing is left of what was started. */
export class Reader implements AsyncDisposable {
  readonly #folder: string;
  readonly #patience: { readonly timeoutMs: number; readonly intervalMs: number };
  readonly #terminal: Terminal;
  readonly #other: Terminal;
  readonly #staying: Running[] = [];
  /** Where the pages have `/tmp/liqo`, which somebody else on this machine may have too. */
  #liqoFolder: string;

  constructor({ folder, programs, timeoutMs }: ReaderOptions) {
    this.#patience = { timeoutMs, intervalMs };
    this.#folder = folder;
    this.#liqoFolder = join(folder, 'liqo');
    const own = {
      ...withoutNpm(process.env),
      HOME: folder,
      // Whose home is another finds nothing that was built before.
      KUBEBUILDER_ASSETS: programs,
      PATH: [programs, process.env.PATH].join(delimiter),
      npm_config_update_notifier: 'false',
      NO_COLOR: '1',
    };
    this.#terminal = new Terminal({ cwd: root, folder: this.#drawer('one'), env: own });
    this.#other = new Terminal({ cwd: root, folder: this.#drawer('other'), env: own });
  }

  /** Types everything that the page says, and compares what is answered with what the page shows. */
  async follow(page: string): Promise<void> {
    for (const block of readBlocks(readPage(page))) {
      for (const step of readSteps(block)) await this.#follow(step, page);
    }
  }

  /** Starts something that stays. */
  async start(command: string): Promise<void> {
    await this.#start({ command, shown: undefined, isInterrupted: false, line: 0 });
  }

  async type(command: string): Promise<void> {
    const { code, output } = await this.#terminal.run(this.#translate(command));
    if (code !== 0) throw new Error(`"${command}" ended with ${code}:\n${output}`);
  }

  /** Presses Ctrl-C wherever something still runs. */
  async finish(): Promise<void> {
    for (const running of this.#staying.splice(0)) {
      const { code, output } = await running.stop();
      if (!endings.includes(code)) throw new Error(`Ctrl-C ended it with ${code}:\n${output}`);
    }
    if (existsSync(this.#liqoFolder)) throw new Error(`"${this.#liqoFolder}" is left`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#staying.splice(0)) await running.stop();
    await this.#terminal[Symbol.asyncDispose]();
    await this.#other[Symbol.asyncDispose]();
  }

  async #follow(step: Step, page: string): Promise<void> {
    const command = step.command.trim();
    if (Object.hasOwn(elsewhere, command)) return;
    try {
      if (stays.test(command)) await this.#start(step);
      else if (step.isInterrupted) await this.#interrupt(step);
      else await this.#run(step);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${page}:${step.line}: ${why}`, { cause });
    }
  }

  async #run(step: Step): Promise<void> {
    const attempt = async () => {
      const { code, output } = await this.#terminal.run(this.#translate(step.command));
      const mayFail = /^(✖|Error|error)/m.test(step.shown ?? '');
      if (code !== 0 && !mayFail) throw new Error(`\n$ ${step.command}\n${output}\nexit ${code}`);
      expectShape(output, step);
    };
    // A person is slower than a test.
    if (isQuestion(step.command)) await eventually(attempt, this.#patience);
    else await attempt();
  }

  async #interrupt(step: Step): Promise<void> {
    const running = await this.#terminal.start(this.#translate(step.command));
    await eventually(() => expectShape(running.output(), step), this.#patience);
    await running.stop();
  }

  async #start(step: Step): Promise<void> {
    const running = await this.#other.start(this.#translate(step.command));
    this.#staying.push(running);
    const shown = step.shown ?? '...\nCtrl-C removes everything';
    const said = () => running.output().replace(npmHeader, '');
    await eventually(() => expectShape(said(), { ...step, shown }), this.#patience);
    const [, folder] = /KUBECONFIG=(\S+)\/rome\.kubeconfig/.exec(running.output()) ?? [];
    if (folder) this.#liqoFolder = folder;
    const aliases = running.output().match(/alias .*/g) ?? [];
    for (const alias of aliases) await this.type(alias);
  }

  #translate(command: string): string {
    return command.replaceAll(/\/tmp\/liqo(-playground-\w+)?(?![\w-])/g, this.#liqoFolder);
  }

  #drawer(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    return folder;
  }
}

/** What npm tells the scripts that it runs, as it does a test; a person at a terminal has none of it. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}

function expectShape(output: string, { command, shown }: Step): void {
  if (shown === undefined || hasShape(output, shown)) return;
  throw new Error(`\n$ ${command}\n${output}\nbut the page shows\n${shown}`);
}
